// Puzzle: a history that one code fits. The page has the puzzle with its steps and asks nobody.

import { announce, find, h, pageData, store, stored } from "./dom.js";
import { boardEditor } from "./editor.js";
import { codeWords, currentRow, letterSigns, markWords, turnRow } from "./pegs.js";
import { drawGrid, firstMisfit, markOf, markTold, stepItem } from "./steps.js";
import { count, word } from "./words.js";

const { rules, puzzle, today } = pageData();
const name = `${rules.text} ${puzzle.seed}`;
let hints = 0; // steps that are shown
let solved = false;

const [slots, editor] = boardEditor({ ...rules, blank: false }, word("yourCode"), changed);
const turns = puzzle.turns.map((turn, k) => turnRow(turn, k + 1, rules));
find("#turns").replaceChildren(...turns, currentRow("?", slots, rules, false));
if (rules.letters) editor.showSigns(letterSigns(puzzle.turns));

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
  const wrong = firstMisfit(puzzle.turns, code, rules);
  if (code === puzzle.solution || (wrong < 0 && !rules.letters)) return end();
  editor.renew();
  turns.forEach((turn, k) => turn.classList.toggle("misfit", k === wrong));
  if (wrong < 0) return say(word("noWord", { code }));
  const { guess } = puzzle.turns[wrong];
  const values = { code: codeWords(code), n: wrong + 1, mark: markWords(markOf(guess, code, rules), rules) };
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
  store(`hints ${name}`, hints, "sessionStorage"); // a page that is loaded again still counts them
  const step = puzzle.steps[hints - 1];
  const mine = hints;
  for (const turn of turns) turn.classList.remove("misfit");
  const chain = step.chain.length > 1 ? step.chain : [];
  find("#no-hints").hidden = true;
  find("#hints").append(stepItem(step, () => show(mine)));
  show(hints);
  announce([step.text, ...chain.map(({ text }) => text)].join(" "), find("#said"));
}

/** Mark what a step speaks of, and show what is possible after it; all at the end. */
function show(shown, all = false) {
  const step = puzzle.steps[shown - 1];
  markTold(turns, all ? null : step);
  [...document.querySelectorAll("#hints button")].forEach((button, k) =>
    button.setAttribute("aria-pressed", String(k === shown - 1 && !all)),
  );
  const steps = all ? puzzle.steps : puzzle.steps.slice(0, shown);
  drawGrid(find("#grid"), rules, puzzle.turns, steps, all ? null : step);
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
const earlier = Math.min(Number(stored(`hints ${name}`, "sessionStorage")), puzzle.steps.length);
while (hints < earlier) hint();
drawMonth();
editor.slots[0].focus({ preventScroll: true });
