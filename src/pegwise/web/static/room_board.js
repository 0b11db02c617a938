// A room as its teacher shows it: who is in, how far all are, and the buttons that steer it.

import { get, post, remove, waiting } from "./api.js";
import { announce, complain, confirmed, copy, find, h, pageData } from "./dom.js";
import { follow } from "./live.js";
import { markElement } from "./pegs.js";
import { loadResults } from "./room_results.js";
import { count, number, word } from "./words.js";

const { rules, room: first, puzzles: puzzlesOfRound } = pageData();
const base = `rooms/${first.id}`;
let room = first;
const items = new Map(); // the pupils by number

const over = () => room.state === "shown" || room.state === "ended";

function show(told) {
  const before = room;
  room = { ...room, ...told };
  const { state, board } = room;
  find("#room").dataset.state = state;
  const playing = state === "playing" || state === "paused";
  find("#begin").hidden = playing || state === "ended";
  find("#begin").textContent = word("begin", { n: room.round + 1 });
  find("#show").hidden = !playing;
  find("#pause").hidden = !playing;
  find("#pause").textContent = word(state === "paused" ? "goOn" : "pause");
  find("#end").hidden = state === "ended";
  for (const name of ["locked", "familiar"]) find(`#${name}`)?.setAttribute("aria-checked", String(room[name]));
  find("#csv").hidden = !over() || !room.round;
  if (find("#secret")) find(".hiding").hidden = find("#begin").hidden;
  const finished = board.filter((row) => row.over).length;
  find("#live-title").textContent = room.round ? word("round", { n: room.round }) : count("joined", board.length);
  const progress = !board.length ? word("nobody") : room.round ? count("progress", finished, { all: number(board.length) }) : "";
  if (find("#count").textContent !== progress) find("#count").textContent = progress;
  showPupils(board);
  const joined = board.filter(({ number: player }) => !before.board.some((row) => row.number === player));
  if (joined.length) announce(joined.length > 1 ? count("joined", board.length) : word("joinedSpoken", { name: joined[0].name }));
  find("#live").hidden = over() && room.round > 0;
  find("#results").hidden = !over() || !room.round;
  if (!over()) find(".slides")?.close(); // another device steers the room
  if (over() && room.round) loadResults(base, room);
}

/** The pupils in the order in which they came; their elements stay, so that the focus does too. */
function showPupils(board) {
  for (const [player, item] of items) {
    if (board.some((row) => row.number === player)) continue;
    item.remove();
    items.delete(player);
  }
  for (const row of board) {
    let item = items.get(row.number);
    if (!item) {
      item = h("li", { class: "pupil" }, h("b"), h("span", { class: "state soft small" }), h("div", { class: "marks" }), removeButton(row.number));
      items.set(row.number, item);
      find("#pupils").append(item);
    }
    const key = JSON.stringify([row, room.round, room.state === "waiting"]);
    if (item.dataset.key === key) continue;
    item.dataset.key = key;
    find("b", item).textContent = row.name;
    find("button", item).setAttribute("aria-label", word("remove", { name: row.name }));
    item.classList.toggle("over", row.over);
    find(".state", item).textContent = stateWords(row);
    find(".marks", item).replaceChildren(...marks(row));
  }
}

function stateWords(row) {
  if (room.state === "waiting") return "";
  if (room.mode === "puzzles") return word("solvedOf", { n: row.solved, all: puzzlesOfRound });
  if (room.mode === "duel" && !row.marks.length) {
    if (!row.hides) return word("hiding");
    if (row.partner === null) return word("waitsShort");
    return row.partner ? word("seeks", { name: row.partner }) : word("seeksPegwise");
  }
  const turns = count("inTurns", row.marks.length);
  return row.over ? `${word("finished")}, ${turns}` : row.marks.length ? turns : "";
}

/** The latest marks, without the guesses; answers to puzzles as signs. */
function marks(row) {
  if (room.mode === "puzzles") return row.marks.slice(-24).map((mark) => h("i", { class: mark, role: "img", "aria-label": word(mark) }));
  return row.marks.slice(-8).map((mark) => markElement(mark, rules, "s"));
}

function removeButton(player) {
  const ask = async () => {
    const { name } = room.board.find((row) => row.number === player);
    if (await confirmed(word("sureRemove", { name }), word("removeName"))) act(() => remove(`${base}/players/${player}`));
  };
  return h("button", { type: "button", class: "take-out", onclick: ask }, "×");
}

/** Do something, and show the room after it; puzzles take a moment. */
async function act(task) {
  complain("");
  const inTime = waiting((text) => (find("#working").textContent = text));
  try {
    await task();
    show(await get(base));
  } catch (problem) {
    complain(problem.message);
  } finally {
    inTime();
    find("#working").textContent = "";
  }
}

const steer = (action, body = {}) => act(() => post(`${base}/${action}`, { round: room.round, ...body }));

async function sure(key, action) {
  if (await confirmed(word(key), word(action))) steer(action);
}

find("#begin").addEventListener("click", async () => {
  const secret = find("#secret");
  await steer("next", secret ? { code: secret.value } : {});
  if (secret && room.state === "playing") secret.value = "";
  else secret?.focus();
});
find("#secret")?.addEventListener("keydown", ({ key }) => key === "Enter" && find("#begin").click());
find("#pause").addEventListener("click", () => steer(room.state === "paused" ? "resume" : "pause"));
find("#show").addEventListener("click", () => (room.board.every((row) => row.over) ? steer("show") : sure("sureShow", "show")));
find("#end").addEventListener("click", () => sure("sureEnd", "end"));
for (const name of ["locked", "familiar"]) {
  find(`#${name}`)?.addEventListener("click", () => act(() => post(`${base}/options`, { [name]: !room[name] })));
}
find("#copy-steering")?.addEventListener("click", ({ target }) => copy(target.dataset.link, word("linkCopied")));
find("#renew").addEventListener("click", () =>
  act(async () => {
    await post(`${base}/key`);
    location.reload(); // with the new one
  }),
);
show(first);
follow(base, show);
