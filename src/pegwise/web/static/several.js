// Several secrets at once: boards side by side, which all get the same guess.

import { get, post } from "./api.js";
import { announce, complain, confirmed, find, h, pageData } from "./dom.js";
import { boardEditor, oneAtATime } from "./editor.js";
import { codeElement, codeWords, currentRow, letterSigns, markWords, turnRow } from "./pegs.js";
import { count, number, sentence, word } from "./words.js";

const { rules, options, game: begun } = pageData();
let game = {
  guesses: [],
  boards: Array.from({ length: options.secrets }, () => ({ marks: [], left: [], secret: null })),
  over: false,
};

const [slots, editor] = boardEditor(rules, word("yourGuess"), drawButtons);
const style = find("#board").style;
find("#boards").style.cssText = `--pegs: ${style.getPropertyValue("--pegs")}; --marks: ${style.getPropertyValue("--marks")}`;
const alone = oneAtATime(editor, find("#working"), failed, () => {
  find("#working").textContent = "";
  drawButtons();
});

/** After a conflict: show the game as it stands, for it went on in another tab. */
async function failed({ status }) {
  if (status !== 409 || !game.id) return;
  game = await get(`several/${game.id}`).catch(() => game);
  draw();
}

/** The id of the game, which begins with the first question about it. */
async function gameId() {
  if (!game.id) {
    game = await post("several", { rules: rules.text, ...options });
    const address = new URL(location.href);
    address.searchParams.set("game", game.id);
    history.replaceState(null, "", address);
  }
  return game.id;
}

/** Whether the secret of a board is found. */
const found = ({ marks, secret }) => secret !== null && game.guesses[marks.length - 1] === secret;

function submit() {
  if (game.over) return;
  if (editor.missing) return announce(count("missing", editor.missing));
  alone(async () => {
    const id = await gameId();
    const turn = game.guesses.length + 1;
    game = await post(`several/${id}/turns`, { guess: editor.text, turn });
    editor.clear();
    draw();
    announce(spokenTurn(turn));
    if (game.over) find("#again").focus();
    else editor.select(0, true);
  });
}

/** What a turn told of each board that was hidden. */
function spokenTurn(n) {
  const told = game.boards.flatMap((board, k) => {
    if (board.marks.length < n) return [];
    const left = found(board) ? word("found") : board.left.length ? count("left", board.left[n - 1]) : "";
    return [word("boardSpoken", { n: k + 1, told: [markWords(board.marks[n - 1], rules), left].filter(Boolean).join(", ") })];
  });
  return [word("turnSpoken", { n, code: codeWords(game.guesses[n - 1]), mark: told.join("; ") }), game.over ? outcome() : ""].filter(Boolean).join(". ");
}

function outcome() {
  const hints = game.hinted.length ? `, ${count("byHints", game.hinted.length)}` : "";
  const n = game.boards.filter(found).length;
  return (game.won ? count("allFound", game.guesses.length) : word("someFound", { n, all: game.boards.length })) + hints;
}

function hint() {
  if (game.over || !options.hints) return;
  alone(async () => {
    const { guess } = await post(`several/${await gameId()}/hint`);
    editor.set(guess);
    announce(word("hintSpoken", { code: codeWords(guess) }));
  });
}

async function giveUp() {
  if (!(await confirmed({ question: word("sureGiveUpAll"), yes: word("giveUp"), no: word("playOn") }))) return;
  alone(async () => {
    game = await post(`several/${await gameId()}/give-up`);
    draw();
    announce(outcome());
    find("#again").focus();
  });
}

function drawButtons() {
  find("#submit").setAttribute("aria-disabled", String(editor.missing > 0 || game.over));
  find("#undo").disabled = editor.missing === rules.pegs;
  find("#hint").disabled = !options.hints || game.over;
  find("#give-up").hidden = game.over || !game.guesses.length;
}

function draw() {
  find("#boards").replaceChildren(...game.boards.map(boardElement));
  find("#turns").replaceChildren(currentRow(number(game.guesses.length + 1), slots, rules, false));
  find("#tray").hidden = game.over;
  find("#result").hidden = !game.over;
  if (rules.letters && rules.placed) editor.showSigns(absentLetters());
  drawButtons();
  if (!game.over) return;
  find("#outcome").textContent = outcome();
  document.title = `${outcome()} · pegwise`;
  review();
}

/** A board: how far it is, its turns, and its secret where it was not found. */
function boardElement(board, k) {
  const { marks, left, secret } = board;
  const solved = found(board);
  const state = solved ? count("foundIn", marks.length) : left.length ? count("left", left.at(-1)) : "";
  const rows = marks.map((mark, place) => turnRow({ guess: game.guesses[place], mark }, place + 1, rules, null));
  return h(
    "section",
    { class: `board${solved ? " solved" : ""}`, "aria-labelledby": `board-${k}` },
    h("h2", { id: `board-${k}` }, word("board", { n: k + 1 }), " ", h("span", { class: "soft small" }, state)),
    h("ol", {}, rows),
    secret !== null && !solved ? h("p", {}, sentence("theSecret", { code: codeElement(secret, "xs") })) : null,
  );
}

/** The letters that no hidden board has. */
function absentLetters() {
  const turns = game.boards.filter((board) => !found(board)).flatMap(({ marks }) => marks.map((mark, place) => ({ guess: game.guesses[place], mark })));
  return new Map([...letterSigns(turns)].filter(([, sign]) => sign === "-"));
}

/** What each guess told, at the end. */
async function review() {
  if (!game.guesses.length) return;
  const turns = await get(`several/${game.id}/review`).catch(({ message }) => complain(message));
  if (!turns) return;
  const bits = (value) => h("td", { class: "num" }, number(value, 2, 2));
  const row = ({ guess, bits: told, expected, best, cost }) =>
    h("tr", {}, h("td", {}, codeElement(guess, "xs")), bits(told), bits(expected), h("td", {}, best === guess ? "" : codeElement(best, "xs")), bits(cost));
  find("#review tbody").replaceChildren(...turns.map(row));
  find("#review").hidden = false;
}

find("#submit").addEventListener("click", submit);
find("#undo").addEventListener("click", () => editor.undo());
find("#hint").addEventListener("click", hint);
find("#give-up").addEventListener("click", giveUp);
editor.listen(find("#board"), {
  Enter: submit,
  ArrowUp: () => !editor.held && game.guesses.length && editor.set(game.guesses.at(-1)),
  ".": hint,
  "?": () => find("#help").showPopover(),
});

draw();
if (begun) await alone(async () => {
  game = await get(`several/${begun}`);
  draw();
});
if (!location.hash && !game.over) editor.slots[0].focus({ preventScroll: true });
