// Puzzle: a history that one code fits. The page has the puzzle with its steps and asks nobody.

import { post } from "./api.js";
import { dayText, listed, note, streak } from "./days.js";
import { announce, find, h, pageData, share, store, stored } from "./dom.js";
import { boardEditor, reveal } from "./editor.js";
import { markMonth } from "./month.js";
import { codeElement, codeWords, currentRow, letterSigns, markWords, turnRow } from "./pegs.js";
import { firstMisfit, markOf } from "./marking.js";
import { drawGrid, markTold, stepItem } from "./steps.js";
import { count, number, sentence, verdict, word } from "./words.js";

const { rules, puzzle, day, named } = pageData();
// the puzzle of today is that of the visitor's own day, and those of days to come wait
if (day && (named ? day > dayText() : day !== dayText())) location.replace(`/puzzle?rules=${rules.text}&date=${dayText()}`);
const today = day === dayText() ? day : "";
find("#today").hidden = Boolean(today);
const name = [rules.text, ...(day ? [] : [puzzle.level]), puzzle.seed].join(" ");
let hints = 0; // steps that are shown
let wrong = 0; // checks that named a turn which the code does not fit
let shown = 0; // steps after which the grid is shown
let solved = false;
let short = false; // whether it was said that pegs are missing

const [slots, editor] = boardEditor({ ...rules, blank: false }, word("yourCode"), changed);
const turns = puzzle.turns.map((turn, k) => turnRow(turn, k + 1, rules));
find("#turns").replaceChildren(...turns, currentRow("?", slots, rules, false));
if (rules.letters) editor.showSigns(letterSigns(puzzle.turns));

function changed() {
  find("#submit").setAttribute("aria-disabled", String(editor.missing > 0 || solved));
  find("#undo").disabled = editor.missing === rules.pegs;
  if (short) say();
  reveal();
}

function say(...parts) {
  short = false;
  find("#said").replaceChildren(...parts);
}

function check() {
  if (solved) return;
  if (editor.missing) {
    say(count("missing", editor.missing));
    short = true;
    return;
  }
  const code = editor.text;
  const at = firstMisfit(puzzle.turns, code, rules);
  if (code === puzzle.solution || (at < 0 && !rules.letters)) return end();
  editor.renew();
  turns.forEach((turn, k) => turn.classList.toggle("misfit", k === at));
  if (at < 0) return say(word("noWord", { code }));
  wrong += 1;
  note("wrong", `${wrong} ${name}`); // as hints
  const { guess } = puzzle.turns[at];
  const values = { code: codeWords(code), n: at + 1, mark: markWords(markOf(guess, code, rules), rules) };
  say(word("misfits", values));
}

function end() {
  note("puzzles", name);
  note("levels", `${puzzle.level} ${name}`);
  if (!hints && !wrong) note("gold", name);
  if (today) note("days", today);
  showEnd();
  find("#outcome").focus();
}

/** The board with its solution, also when the page is opened again. */
function showEnd() {
  solved = true;
  say();
  for (const turn of turns) turn.classList.remove("misfit");
  const alone = listed("gold").has(name);
  find("#tray").hidden = find("#another").hidden = true;
  find("#result").hidden = false;
  const outcome = hints ? count("solvedHints", hints) : word(alone ? "solvedAlone" : "solved");
  find("#outcome").textContent = [outcome, wrong && count("tries", wrong + 1)].filter(Boolean).join(", ");
  const days = streak();
  const until = Math.ceil((new Date(new Date().setHours(24, 0, 0, 0)) - Date.now()) / 3_600_000);
  find("#next").textContent = today ? `${count("streak", days, { n: number(days) })} ${count("nextIn", until)}` : "";
  const text = `pegwise, ${find("#day")?.textContent ?? rules.text}: ${find("#outcome").textContent}`;
  find("#share").onclick = () => share(text, location.href.split("#")[0], word("lineCopied"));
  show(hints, true);
  drawMonth();
  askBest();
}

/** After the puzzle: which guess was best one turn before its end. */
async function askBest() {
  const history = puzzle.turns.slice(0, -1).map(({ guess, mark }) => ({ guess, mark }));
  const form = find("#best");
  if (rules.letters || !history.length || !form.hidden) return;
  const { count: codes } = await post("weigh", { rules: rules.text, history, guess: puzzle.turns.at(-1).guess }).catch(() => ({}));
  if (!(codes > 2)) return;
  const { guessForm } = await import("./guess_form.js");
  find("#best-title").textContent = count("bestNext", codes, { turn: history.length });
  guessForm(form, rules, async (guess) => {
    const weighed = await post("weigh", { rules: rules.text, history, guess });
    const best = sentence("bestGuess", { code: codeElement(weighed.answer, "s") });
    return [h("p", {}, weighed.above ? "" : `${word("wellPlayed")} `, verdict(weighed)), weighed.above ? h("p", {}, best) : ""];
  });
}

function hint() {
  if (solved) return;
  if (hints === puzzle.steps.length) return say(word("noHint"));
  hints += 1;
  note("hints", `${hints} ${name}`); // a page that is opened again still counts them
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
function show(upTo, all = false) {
  const step = puzzle.steps[upTo - 1];
  markTold(turns, all ? null : step);
  [...document.querySelectorAll("#hints button")].forEach((button, k) =>
    button.setAttribute("aria-pressed", String(k === upTo - 1 && !all)),
  );
  const steps = all ? puzzle.steps : puzzle.steps.slice(0, upTo);
  shown = upTo;
  drawGrid(find("#grid"), rules, puzzle.turns, steps, all ? null : step, all ? null : { notes, mind });
}

/** Mark the days that are solved, those without a hint in gold, and how many of each level are. */
function drawMonth() {
  markMonth("puzzles", (seed) => `${rules.text} ${seed}`); // as `name`
  const levels = [...listed("levels")].map((item) => item[0]);
  for (const place of document.querySelectorAll(".levels b")) {
    const n = levels.filter((level) => level === place.dataset.level).length;
    place.textContent = number(n);
    place.parentElement.classList.toggle("some", n > 0);
  }
}

/** What the visitor notes in the grid: not possible, certain, or nothing; it stays with the tab. */
const notes = new Map(JSON.parse(stored(`notes ${name}`, "sessionStorage") || "[]"));
function mind(place, letter) {
  const key = `${place},${letter}`;
  notes.set(key, { undefined: "no", no: "sure" }[notes.get(key)]);
  store(`notes ${name}`, JSON.stringify([...notes].filter(([, note]) => note)), "sessionStorage");
  show(shown);
  find(`#grid [data-cell="${key}"]`)?.focus();
}

find("#submit").addEventListener("click", check);
find("#undo").addEventListener("click", () => editor.undo());
find("#hint").addEventListener("click", hint);
editor.listen(find("#game"), { Enter: check, ".": hint });
show(0);
changed();
const before = (list) => [...listed(list)].filter((item) => item.endsWith(` ${name}`)).length;
wrong = before("wrong");
const earlier = Math.min(before("hints"), puzzle.steps.length);
while (hints < earlier) hint();
drawMonth();
if (listed("puzzles").has(name)) {
  editor.set(puzzle.solution);
  showEnd();
} else editor.slots[0].focus({ preventScroll: true });
