// The game of a page, for one secret or for several: what it asks the server, its buttons and keys.

import { setInAddress } from "./address.js";
import { get, post } from "./api.js";
import { announce, confirmed, find, pageData, store, stored } from "./dom.js";
import { boardEditor, oneAtATime, restoreGuess, storeGuess } from "./editor.js";
import { codeWords } from "./pegs.js";
import { count, word } from "./words.js";

const { rules, options, challenge, game: begun } = pageData();

/** The game as the server said it last. */
export let game = { over: false, turns: [], guesses: [], max_guesses: options.max_guesses };

let page = {}; // what a kind of game does in its own way
let hand = null; // what is done by hand; null where codes are typed
let clock = null; // null where it is switched off
const timed = find("#timed");

export const [slots, editor] = boardEditor(rules, word("yourGuess"), changed);

/** Do one thing at a time; a game that went on elsewhere, in another tab for example, is shown. */
export const alone = oneAtATime(editor, find("#working"), failed, () => {
  find("#working").textContent = "";
  drawButtons();
});

async function failed({ status }) {
  if (status !== 409 || !game.id) return;
  game = await get(`games/${game.id}`).catch(() => game);
  draw();
}

/** Ask the server about the game, which begins with the first question. */
export async function ask(what, body = {}) {
  if (page.answer) return page.answer(what, body);
  if (!game.id) {
    game = await (challenge ? post(`challenges/${challenge}`) : post("games", { rules: rules.text, ...options }));
    setInAddress("game", game.id);
    find("#offer")?.remove();
    hand?.keep();
  }
  return post(`games/${game.id}/${what}`, body);
}

function submit() {
  if (game.over) return;
  if (editor.missing) {
    const missing = count("missing", editor.missing);
    (find("#advice") ?? find("#working")).textContent = missing;
    return announce(missing);
  }
  alone(async () => {
    const seconds = clock?.seconds() ?? null;
    game = await ask("turns", { guess: editor.text, turn: page.guesses().length + 1, seconds });
    if (hand) hand.next();
    else editor.clear();
    draw();
    announce(page.spokenTurn());
    if (game.over) find("#again").focus();
    else editor.select(Math.max(0, editor.code.indexOf("")), true);
  });
}

/** Ask for a hint, which the game notes. */
export async function askHint() {
  const advice = await ask("hint");
  game.hinted = [...new Set([...(game.hinted ?? []), page.guesses().length + 1])];
  return advice;
}

/** Fill in the guess of the server, and say it. */
export async function takeHint() {
  const advice = await askHint();
  editor.set(advice.guess);
  announce(word("hintSpoken", { code: codeWords(advice.guess) }));
  return advice;
}

/** A time as a clock shows it: 2:31, or 1:02:05 with hours. */
export function duration(seconds) {
  const [hours, ...rest] = [seconds / 3600, (seconds / 60) % 60, seconds % 60].map(Math.floor);
  return [...(hours ? [hours, String(rest[0]).padStart(2, "0")] : [rest[0]]), String(rest[1]).padStart(2, "0")].join(":");
}

/** Let a switch be as it was left, and change by a click; `act` is done after it. */
export function remembers(button, act) {
  if (!button) return;
  const show = (on) => button.setAttribute("aria-checked", String(on));
  if (stored(button.id)) show(stored(button.id) === "on");
  button.addEventListener("click", () => {
    show(button.getAttribute("aria-checked") !== "true");
    store(button.id, button.getAttribute("aria-checked") === "true" ? "on" : "off");
    act();
  });
}

/** How long the game took, and how many turns were played by hints; after how it ended. */
export const beside = () => (game.seconds ? `, ${duration(game.seconds)}` : "") + (game.hinted?.length ? `, ${count("byHints", game.hinted.length)}` : "");

function hint() {
  if (!game.over) alone(page.hint ?? takeHint);
}

/** Fill in an earlier guess. */
export function copyGuess(guess) {
  if (editor.held || !guess) return;
  editor.set(guess);
  announce(word("copied", { code: codeWords(guess) }));
}

async function giveUp() {
  if (!(await confirmed(word("sureGiveUp"), word("giveUp"), word("playOn")))) return;
  alone(async () => {
    game = await ask("give-up");
    draw();
    announce(page.outcome());
    find("#again").focus();
  });
}

/** The guess in the making changed; it is stored, so that the page may be loaded again. */
function changed() {
  storeGuess(editor, turnName());
  drawButtons();
  page.changed();
}

const turnName = () => `games ${game.id ?? rules.text} ${page.guesses().length}`;

function drawButtons() {
  find("#submit").setAttribute("aria-disabled", String(editor.missing > 0 || game.over));
  find("#undo").disabled = editor.missing === rules.pegs;
  find("#hint").disabled = !options.hints || game.over;
  find("#give-up").hidden = game.over || !page.guesses().length;
}

/** Draw the game as it stands. */
function draw() {
  find("#tray").hidden = game.over;
  find("#result").hidden = !game.over;
  drawButtons();
  page.draw();
  if (!game.over) return;
  document.title = `${find("#outcome").textContent} · pegwise`;
  if (!game.challenge || !find("#compare")) return;
  find("#compare").hidden = false;
  find("#compare").href = `/challenge/${game.challenge}`;
}

find("#submit").addEventListener("click", submit);
find("#undo").addEventListener("click", () => {
  editor.undo();
  if (find("#undo").disabled) editor.select(editor.at, true);
});
find("#hint").addEventListener("click", hint);
find("#give-up").addEventListener("click", giveUp);
remembers(timed, keepTime);
find("#challenge")?.addEventListener("click", async () => (await import("./challenge_link.js")).offerChallenge(game.id));

const timeName = () => game.id ?? rules.text;

/** Count the time of the game, or do not any more, as its switch says. */
async function keepTime() {
  clock?.stop();
  clock = null;
  if (timed.getAttribute("aria-checked") !== "true") return;
  const { clockOf } = await import(timed.dataset.script);
  clock = clockOf(() => game, () => page.guesses().length, timeName, () => editor.missing < rules.pegs);
}

/**
 * Play the game of the page, or the one of its address.
 * @param kind what is done in its own way: `guesses` are those of the game,
 *   `draw` and `changed` show it and the guess in the making, `outcome` and `spokenTurn` say how it ended and what a turn told, `hint` is another hint, `answer` answers in place of the server
 */
export async function play(kind) {
  page = kind;
  const keys = {
    Enter: submit,
    ArrowUp: () => copyGuess(page.guesses().at(-1)),
    ".": hint,
    "?": () => find("#help").showPopover(),
  };
  editor.listen(find("#game"), keys);
  if (page.answer) game = page.answer("look");
  draw();
  if (begun) await alone(async () => {
    game = await get(`games/${begun}`);
    draw();
  });
  const notes = find("#notes");
  if (notes && rules.typed) notes.hidden = true;
  else if (notes) import(notes.dataset.script).then(({ byHand }) => {
    hand = byHand(editor, () => !game.over, () => game.id ?? "");
    keys.notes = hand.keys;
    notes.disabled = false;
  });
  if (game.over) return;
  restoreGuess(editor, turnName());
  await keepTime();
  if (!location.hash) editor.slots[0].focus({ preventScroll: true });
}
