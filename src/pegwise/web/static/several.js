// Several secrets at once: boards side by side, which all get the same guess.

import { get } from "./api.js";
import { complain, find, h, pageData } from "./dom.js";
import { reveal } from "./editor.js";
import { beside, editor, game, play, slots } from "./game.js";
import { codeElement, codeWords, currentRow, firstSign, letterSigns, lookOf, markWords, signWord, turnRow } from "./pegs.js";
import { listenToShare } from "./share.js";
import { count, number, sentence, word } from "./words.js";

const { rules, options } = pageData();
const { style } = find("#board");
find("#boards").style.cssText = `--pegs: ${style.getPropertyValue("--pegs")}; --marks: ${style.getPropertyValue("--marks")}`;

/** The boards; before the game begins nothing is known of them. */
const boards = () => game.boards ?? Array.from({ length: options.secrets }, () => ({ marks: [], left: [], secret: null }));

/** Whether the secret of a board is found. */
const found = ({ marks, secret }) => secret !== null && game.guesses[marks.length - 1] === secret;

/** What the last turn told of each board that was hidden. */
function spokenTurn() {
  const n = game.guesses.length;
  const told = boards().flatMap((board, k) => {
    if (board.marks.length < n) return [];
    const left = found(board) ? word("found") : board.left.length ? count("left", board.left[n - 1]) : "";
    return [word("boardSpoken", { n: k + 1, told: [markWords(board.marks[n - 1], rules), left].filter(Boolean).join(", ") })];
  });
  return [word("turnSpoken", { n, code: codeWords(game.guesses[n - 1]), mark: told.join("; ") }), game.over ? outcome() : ""].filter(Boolean).join(". ");
}

function outcome() {
  const n = boards().filter(found).length;
  return (game.won ? count("allFound", game.guesses.length) : word("someFound", { n, all: boards().length })) + beside();
}

function draw() {
  find("#boards").replaceChildren(...boards().map(boardElement));
  find("#turns").replaceChildren(currentRow(number(game.guesses.length + 1), slots, rules, false));
  if (rules.letters && rules.marks.cells.length) showLetters();
  reveal();
  if (!game.over) return;
  find("#outcome").textContent = outcome();
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

/** What is known of each letter: board by board on the quarters of its key; of more than four boards, that none has it. */
function showLetters() {
  if (boards().length > 4) return editor.showSigns(absentLetters());
  const signs = boards().map((board) => (found(board) ? new Map() : letterSigns(board.marks.map((mark, k) => ({ guess: game.guesses[k], mark })))));
  for (const [letter, key] of editor.keys) {
    const told = signs.map((own) => own.get(letter));
    key.classList.toggle("quartered", told.some(Boolean));
    // two boards have the left and the right half
    [0, 1, 2, 3].forEach((k) => (key.dataset[`q${k}`] = lookOf(told[told.length === 2 ? k % 2 : k]) ?? ""));
    const said = told.flatMap((sign, k) => (sign ? [word("boardSpoken", { n: k + 1, told: signWord(sign) })] : []));
    key.setAttribute("aria-label", [letter, ...said].join("; "));
  }
}

/** The letters that no hidden board has. */
function absentLetters() {
  const turns = boards().filter((board) => !found(board)).flatMap(({ marks }) => marks.map((mark, place) => ({ guess: game.guesses[place], mark })));
  return new Map([...letterSigns(turns)].filter(([, sign]) => sign === firstSign));
}

/** What each guess told, at the end. */
async function review() {
  if (!game.guesses.length) return;
  const drawn = await get(`games/${game.id}/review.html`).catch(({ message }) => complain(message));
  find("#review").innerHTML = drawn ?? "";
  find("#review").hidden = !drawn;
  if (drawn) listenToShare(find("#reviewed").href, location.origin);
}

await play({
  guesses: () => game.guesses,
  changed: () => (find("#working").textContent = ""),
  draw,
  outcome,
  spokenTurn,
});
