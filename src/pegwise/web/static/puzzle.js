// Puzzle: a history that one code fits. The page has the puzzle with its steps and asks nobody.

import { announce, find, h, pageData, store, stored } from "./dom.js";
import { GuessEditor } from "./editor.js";
import { codeElement, codeWords, letterSigns, markElement, markText, markWords } from "./pegs.js";
import { count, number, word } from "./words.js";

const { rules, puzzle, today } = pageData();
const letters = [...(rules.letters ?? "ABCDEFGHIJKLMNOPQRSTUVWXYZ".slice(0, rules.colors))];
const places = Array.from({ length: rules.pegs }, (_, k) => k + 1);
const name = `${rules.text} ${puzzle.seed}`;
const guessed = new Set(puzzle.turns.flatMap(({ guess }) => [...guess]));
let hints = 0; // steps that are shown
let solved = false;

find("#board").style.setProperty("--pegs", rules.pegs);
find("#board").style.setProperty("--marks", Math.ceil(rules.pegs / 2));
const slots = h("span", { class: "code", role: "group", "aria-label": word("yourCode") });
const editor = new GuessEditor({ ...rules, blank: false }, slots, find("#palette"), changed);

const turns = puzzle.turns.map(({ guess, mark }, k) =>
  h(
    "li",
    { class: "turn" },
    h("span", { class: "n" }, number(k + 1)),
    codeElement(guess, "", rules.placed ? mark : ""),
    markElement(mark, rules, rules.placed ? "sr" : ""), // marks of places stand at their pegs
    h("span"),
  ),
);
const row = h(
  "li",
  { class: "turn now", "aria-current": "step" },
  h("span", { class: "n" }, "?"),
  slots,
  h("span"),
  h("span"),
);
find("#turns").replaceChildren(...turns, row);
if (rules.letters) editor.showSigns(letterSigns(puzzle.turns));

/** The mark of a guess against a code. */
function markOf(guess, code) {
  if (rules.placed) return placedMark(guess, code);
  const black = [...guess].filter((letter, k) => letter === code[k]).length;
  const times = (text, letter) => text.split(letter).length - 1;
  const common = letters.map((letter) => Math.min(times(guess, letter), times(code, letter)));
  return markText(black, rules.black ? 0 : common.reduce((sum, n) => sum + n) - black);
}

/** The mark of every place: letters elsewhere count from the first on. */
function placedMark(guess, code) {
  const right = (letter, k) => letter === code[k];
  const rest = [...code].filter((letter, k) => letter !== guess[k]);
  const sign = (letter, k) => {
    const at = right(letter, k) ? -1 : rest.indexOf(letter);
    if (at >= 0) rest.splice(at, 1);
    return right(letter, k) ? "G" : at >= 0 ? "Y" : "-";
  };
  return [...guess].map(sign).join("");
}

function changed() {
  find("#submit").setAttribute("aria-disabled", String(editor.missing > 0 || solved));
  find("#undo").disabled = editor.missing === rules.pegs;
}

function say(...parts) {
  find("#said").replaceChildren(...parts);
}

function check() {
  if (solved) return;
  if (editor.missing) return say(count("missing", editor.missing));
  const code = editor.text;
  const wrong = puzzle.turns.findIndex(({ guess, mark }) => markOf(guess, code) !== mark);
  if (code === puzzle.solution || (wrong < 0 && !rules.letters)) return end();
  editor.renew();
  turns.forEach((turn, k) => turn.classList.toggle("misfit", k === wrong));
  if (wrong < 0) return say(word("noWord", { code }));
  const { guess } = puzzle.turns[wrong];
  const values = { code: codeWords(code), n: wrong + 1, mark: markWords(markOf(guess, code), rules) };
  say(word("misfits", values));
}

function end() {
  solved = true;
  say();
  note("puzzles", name);
  if (today) note("days", today);
  find("#tray").hidden = true;
  find("#result").hidden = false;
  find("#outcome").textContent = hints ? count("solvedHints", hints) : word("solvedAlone");
  find("#outcome").focus();
  show(hints, true);
  drawMonth();
}

/** Add a name to a list that this browser stores. */
function note(list, item) {
  const all = new Set(JSON.parse(stored(list) || "[]"));
  store(list, JSON.stringify([...all.add(item)].slice(-2000)));
}

function hint() {
  if (solved) return;
  if (hints === puzzle.steps.length) return say(word("noHint"));
  hints += 1;
  const step = puzzle.steps[hints - 1];
  const mine = hints;
  for (const turn of turns) turn.classList.remove("misfit");
  const chain = step.chain.length > 1 ? step.chain : [];
  find("#no-hints").hidden = true;
  find("#hints").append(
    h(
      "li",
      {},
      h("button", { type: "button", onclick: () => show(mine) }, step.text),
      chain.length > 0 && h("ul", {}, chain.map(({ text }) => h("li", {}, text))),
    ),
  );
  show(hints);
  announce([step.text, ...chain.map(({ text }) => text)].join(" "), find("#said"));
}

/** Mark what a step speaks of, and show what is possible after it; all at the end. */
function show(shown, all = false) {
  const step = puzzle.steps[shown - 1];
  const told = new Set(all || !step ? [] : step.pegs.map(String));
  turns.forEach((turn, k) =>
    [...find(".code", turn).children].forEach((peg, at) =>
      peg.classList.toggle("told", told.has(`${k + 1},${at + 1}`)),
    ),
  );
  [...document.querySelectorAll("#hints button")].forEach((button, k) =>
    button.setAttribute("aria-pressed", String(k === shown - 1 && !all)),
  );
  const after = all ? puzzle.steps : puzzle.steps.slice(0, shown);
  const out = new Set(after.flatMap(({ excluded }) => excluded.map(String)));
  const now = new Set(all || !step ? [] : step.excluded.map(String));
  const open = places.map((place) => letters.filter((letter) => !out.has(`${place},${letter}`)));
  // of the letters of words those that are spoken of
  const shownLetters = letters.filter(
    (letter) => !rules.letters || guessed.has(letter) || open.some((some) => String(some) === letter),
  );
  const cell = (letter, place) => {
    const state = out.has(`${place},${letter}`) ? "no" : open[place - 1].length === 1 ? "sure" : "may";
    const fresh = now.has(`${place},${letter}`) ? " new" : "";
    return h("td", { class: state + fresh }, h("i"), h("span", { class: "sr" }, word(state)));
  };
  const head = places.map((place) =>
    h("th", { scope: "col" }, h("span", { class: "sr" }, `${word("place")} `), number(place)),
  );
  find("#grid").replaceChildren(
    h("thead", {}, h("tr", {}, h("td"), head)),
    h(
      "tbody",
      {},
      shownLetters.map((letter) =>
        h(
          "tr",
          {},
          h("th", { scope: "row" }, h("span", { class: "peg", "data-c": letter }, letter)),
          places.map((place) => cell(letter, place)),
        ),
      ),
    ),
  );
}

/** Mark the days that are solved. */
function drawMonth() {
  const done = new Set(JSON.parse(stored("puzzles") || "[]"));
  for (const link of document.querySelectorAll(".month a")) {
    if (done.has(link.dataset.key) && !link.classList.contains("solved")) {
      link.classList.add("solved");
      link.append(h("span", { class: "sr" }, `, ${word("done")}`));
    }
  }
}

find("#submit").addEventListener("click", check);
find("#undo").addEventListener("click", () => editor.undo());
find("#hint").addEventListener("click", hint);
editor.listen(find("#board"), { Enter: check, ".": hint });
show(0);
changed();
drawMonth();
editor.slots[0].focus({ preventScroll: true });
