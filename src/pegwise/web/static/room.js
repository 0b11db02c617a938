// A room as a pupil plays in it. What was played is on the server: a reload or a second tab goes on.

import { get, post } from "./api.js";
import { announce, beep, find, pageData } from "./dom.js";
import { boardEditor, oneAtATime, restoreGuess, reveal, storeGuess } from "./editor.js";
import { follow } from "./live.js";
import { codeElement, codeWords, currentRow, letterSigns, markWords, turnRow } from "./pegs.js";
import { loadResults } from "./room_results.js";
import { count, number, sentence, word } from "./words.js";

const { rules, room: first, puzzles: puzzlesOfRound } = pageData();
const base = `rooms/${first.id}`;
const puzzles = first.mode === "puzzles";
let room = first;
let players = 0; // in the room
let misfits = []; // turns of the puzzle that the last answer does not fit

const label = word(puzzles ? "yourCode" : "yourGuess");
const [slots, editor] = boardEditor({ ...rules, blank: rules.blank && !puzzles }, label, changed);
const alone = oneAtATime(editor, find("#said"), failed, drawButtons);

/** What the pupil does now. */
function phase() {
  const { state, mode, you } = room;
  if (state === "waiting") return "waits";
  if (state === "shown" || state === "ended") return "results";
  if (mode === "duel" && you.hides === null) return "hide";
  if (mode === "duel" && you.partner === null) return "partner";
  return you.over ? "over" : "play";
}

/** The room is shown as it stands. */
async function failed({ status }) {
  if (status === 403) location.reload(); // the name was removed
  if (status === 409) await refresh();
  return status === 403;
}

async function refresh() {
  try {
    const { familiar } = room;
    room = await get(base);
    if (room.familiar !== familiar) return location.reload(); // in other words
    draw();
  } catch (error) {
    if (error.status === 403 || error.status === 404) location.reload();
    else setTimeout(refresh, 2000); // what was told may not be told again
  }
}

function submit() {
  const now = phase();
  if (room.state === "paused" || (now !== "play" && now !== "hide")) return;
  if (editor.missing) {
    find("#said").textContent = count("missing", editor.missing);
    return;
  }
  alone(async () => {
    const code = editor.text;
    if (now === "hide") {
      room = await post(`${base}/hidden`, { round: room.round, code });
      editor.clear();
      return draw();
    }
    await play(code);
  });
}

/** Play a turn; its number makes it safe to send it again. */
async function play(guess) {
  const before = room.you;
  room.you = await post(`${base}/turns`, { round: room.round, turn: before.turns.length + 1, guess });
  const { you } = room;
  const turn = you.turns.at(-1);
  misfits = you.sheet?.misfits ?? [];
  if (misfits.length) editor.renew();
  else editor.clear();
  draw();
  const code = codeWords(guess);
  find("#said").textContent = misfits.length
    ? count("misfits", misfits.length, { code, turns: misfits.join(", ") })
    : puzzles && turn.mark === "right" && !you.over
      ? word("rightAnswer")
      : "";
  if (!puzzles) announce(word("turnAnswered", { n: you.turns.length, code, mark: markWords(turn.mark, rules) }));
  if (you.over) find("#outcome").focus();
  else editor.select(0, !misfits.length && slots.contains(document.activeElement));
}

function changed() {
  find("#said").textContent = "";
  storeGuess(editor, turnName());
  drawButtons();
}

const turnName = () => `${room.id} ${room.round} ${phase()} ${room.you.turns.length}`;

function draw() {
  const now = phase();
  const { you, state } = room;
  const own = { code: codeElement(you.hides ?? "", "xs") };
  const notes = {
    waits: () => [word("waits")],
    results: () => [word(state === "ended" ? "ended" : "nextRound")],
    hide: () => [word("hides")],
    partner: () => sentence("waitsPartner", own),
    play: () => {
      if (room.mode !== "duel") return [""];
      return you.partner ? sentence("against", { name: you.partner, ...own }) : sentence("againstPegwise", own);
    },
    over: () => [progress || word("nextRound")],
  };
  find("#me").hidden = now !== "waits";
  ring(now);
  find("#note").replaceChildren(...(state === "paused" ? [word("paused")] : notes[now]()));
  find("#board").hidden = !["hide", "play", "over"].includes(now);
  find("#alone").hidden = now !== "partner" || state === "paused";
  find("#title").textContent =
    now === "hide" ? word("hideTitle")
    : puzzles && you.sheet ? word("puzzle", { n: you.sheet.number, all: puzzlesOfRound })
    : word("round", { n: room.round });
  const turns = now === "hide" ? [] : puzzles ? (you.sheet?.turns ?? []) : you.turns;
  const rows = turns.map((turn, k) => turnRow(turn, k + 1, rules));
  for (const n of misfits) rows[n - 1]?.classList.add("misfit");
  const place = now === "hide" ? "" : puzzles ? "?" : number(turns.length + 1);
  if (!you.over) rows.push(currentRow(place, slots, rules, !puzzles));
  find("#turns").replaceChildren(...rows);
  find("#tray").hidden = you.over;
  find("#result").hidden = !you.over;
  if (you.over) find("#outcome").textContent = puzzles ? word("solvedAll") : count("solvedIn", you.turns.length);
  if (rules.letters && rules.marks.cells.length) editor.showSigns(letterSigns(you.turns));
  find("#results").hidden = now !== "results" || !room.round;
  if (now === "results" && room.round) loadResults(base, room);
  if (editor.missing === rules.pegs) restoreGuess(editor, turnName());
  drawButtons();
  reveal();
}

/** A short sound where the round begins or ends, for who has asked for it. */
let rang = "";
function ring(now) {
  const [before, name] = [rang, `${room.round} ${now === "over" ? "play" : now}`];
  rang = name;
  if (find("#sound").getAttribute("aria-checked") === "true" && before !== name) beep(now === "results" ? 523 : 784, 0.1, 0.5);
}

function drawButtons() {
  const now = phase();
  const held = room.state === "paused";
  find("#submit").textContent = word(now === "hide" ? "hide" : puzzles ? "check" : "submit");
  find("#submit").setAttribute("aria-disabled", String(editor.missing > 0 || held));
  find("#undo").disabled = editor.missing === rules.pegs;
  find("#skip").hidden = !puzzles || held || room.you.solved === puzzlesOfRound - 1;
}

let progress = ""; // how many have finished this round

/** What everybody in the room is told. */
function hear(told) {
  const { you } = room;
  const removed = told.players < players; // perhaps this one
  players = told.players ?? players;
  const waitsPartner = room.mode === "duel" && you.hides !== null && you.partner === null;
  if (told.round !== room.round || told.state !== room.state || told.familiar !== room.familiar || waitsPartner || removed) {
    if (told.round !== room.round) {
      editor.clear();
      misfits = [];
    }
    refresh();
  } else if (told.complete && phase() === "results") loadResults(base, room);
  if (told.players === undefined) return;
  progress = told.round === room.round ? count("progress", told.over, { all: number(told.players) }) : "";
  if (progress && phase() === "over") find("#note").textContent = progress;
}

find("#sound").addEventListener("click", ({ currentTarget: button }) => {
  button.setAttribute("aria-checked", String(button.getAttribute("aria-checked") !== "true"));
});
find("#submit").addEventListener("click", submit);
find("#undo").addEventListener("click", () => editor.undo());
find("#skip").addEventListener("click", () => room.state !== "paused" && alone(() => play("")));
find("#alone").addEventListener("click", () =>
  alone(async () => {
    room = await post(`${base}/hidden`, { round: room.round });
    draw();
  }),
);
editor.listen(find("#board"), { Enter: submit });
document.addEventListener("visibilitychange", () => document.hidden || refresh()); // a phone wakes
draw();
follow(base, hear);
