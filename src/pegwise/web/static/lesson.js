// A first game: what each mark tells, step by step, and what is still possible.

import { post } from "./api.js";
import { announce, find, pageData } from "./dom.js";
import { askHint, editor, game } from "./game.js";
import { firstMisfit, markOf } from "./marking.js";
import { codeWords, markWords } from "./pegs.js";
import { drawGrid, markTold, stepItem } from "./steps.js";
import { word } from "./words.js";

const { rules } = pageData();
let lesson = { turns: [] }; // what was told of the marks

/** Fill in a code that fits all turns, and say why it does. */
export async function hint() {
  if (lesson.turns.length !== game.turns.length || !lesson.fits) await explain();
  await askHint();
  editor.set(lesson.fits);
  find("#advice").textContent = lesson.why;
  announce(`${word("hintSpoken", { code: codeWords(lesson.fits) })} ${lesson.why}`);
}

/** Say whether a whole guess fits all turns, or which it does not fit. */
export function check(place) {
  const whole = !editor.missing && !game.over;
  const at = whole ? firstMisfit(game.turns, editor.text, rules) : -1;
  document.querySelectorAll("#turns .turn").forEach((row, k) => row.classList.toggle("misfit", k === at));
  const code = codeWords(editor.text);
  const mark = at < 0 ? "" : markWords(markOf(game.turns[at].guess, editor.text, rules), rules);
  const said = at < 0 ? word("fitsAll", { code }) : word("misfits", { code, n: at + 1, mark });
  place.textContent = whole && game.turns.length ? said : "";
  if (place.textContent) announce(said, find("#advised"));
}

/** Ask what the marks tell, and show it. */
export async function explain() {
  const turns = game.turns.map(({ guess, mark }) => ({ guess, mark }));
  const told = await post("explain", { rules: rules.text, turns });
  if (turns.length !== game.turns.length) return;
  lesson = told;
  const last = turns.length && !game.over ? lesson.turns.at(-1) : [];
  const item = (step) => stepItem(step, () => showStep(step));
  find("#lesson").hidden = game.over;
  find("#tells").hidden = !turns.length;
  find("#tells").textContent = lesson.marks.at(-1) ?? "";
  find("#steps").replaceChildren(...last.map(item));
  find("#next").textContent = word(!turns.length ? "begin" : last.length ? "goOn" : "tellsNothing");
  const before = lesson.turns.slice(0, game.over ? turns.length : -1).flat();
  find("#earlier").hidden = !before.length;
  find("#earlier ol").replaceChildren(...before.map(item));
  showStep(last.at(-1));
  if (!game.over) announce([lesson.marks.at(-1) ?? word("begin"), ...last.map(({ text }) => text)].join(" "), find("#advised"));
}

/** Mark the pegs that a step speaks of, and show what is possible after it. */
function showStep(step) {
  const steps = lesson.turns.flat();
  const shown = step ? steps.slice(0, steps.indexOf(step) + 1) : steps;
  for (const button of document.querySelectorAll(".hints button")) {
    button.setAttribute("aria-pressed", String(button.textContent === step?.text));
  }
  markTold([...document.querySelectorAll("#turns .turn")].slice(0, game.turns.length), step);
  drawGrid(find("#grid"), rules, game.turns, shown, step);
}
