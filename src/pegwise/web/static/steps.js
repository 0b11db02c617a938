// Steps of reasoning: the pegs that they speak of, and the grid of what is possible after them.

import { find, h } from "./dom.js";
import { lettersOf } from "./marking.js";
import { number, word } from "./words.js";

/** A step as an item of a list, whose button shows it; beneath it the steps that refute a case. */
export const stepItem = ({ text, chain }, onclick) =>
  h(
    "li",
    {},
    h("button", { type: "button", onclick }, text),
    chain.length > 1 && h("ul", {}, chain.map((step) => h("li", {}, step.text))),
  );

/** Mark in rows of turns the pegs that a step speaks of; none without a step. */
export function markTold(rows, step) {
  const told = new Set((step?.pegs ?? []).map(String));
  rows.forEach((row, k) =>
    [...find(".code", row).children].forEach((peg, at) =>
      peg.classList.toggle("told", told.has(`${k + 1},${at + 1}`)),
    ),
  );
}

/**
 * What is possible after steps, color by place; what the last of them excludes is new.
 * @param own what the visitor notes: {notes, mind}, by "place,letter", and called with both
 */
export function drawGrid(table, rules, turns, steps, step = null, own = null) {
  const letters = lettersOf(rules);
  const places = Array.from({ length: rules.pegs }, (_, k) => k + 1);
  const out = new Set(steps.flatMap(({ excluded }) => excluded.map(String)));
  const now = new Set((step?.excluded ?? []).map(String));
  const open = places.map((place) => letters.filter((letter) => !out.has(`${place},${letter}`)));
  // of the letters of words those that are spoken of
  const guessed = new Set(turns.flatMap(({ guess }) => [...guess]));
  const shown = letters.filter(
    (letter) => !rules.letters || guessed.has(letter) || open.some((some) => String(some) === letter),
  );
  const cell = (letter, place) => {
    const key = `${place},${letter}`;
    const told = out.has(key) ? "no" : open[place - 1].length === 1 ? "sure" : "may";
    const state = told === "may" ? (own?.notes.get(key) ?? told) : told;
    const signs = [h("i"), h("span", { class: "sr" }, word(state))];
    const name = `${letter} ${number(place)}: ${word(state)}`;
    const button = { type: "button", "data-cell": key, "aria-label": name, onclick: () => own.mind(place, letter) };
    const noted = state === told ? "" : " noted";
    const fresh = now.has(key) ? " new" : "";
    return h("td", { class: state + noted + fresh }, own && told === "may" ? h("button", button, signs) : signs);
  };
  const head = places.map((place) =>
    h("th", { scope: "col" }, h("span", { class: "sr" }, `${word("place")} `), number(place)),
  );
  const row = (letter) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, h("span", { class: "peg", "data-c": letter }, letter)),
      places.map((place) => cell(letter, place)),
    );
  table.replaceChildren(
    h("thead", {}, h("tr", {}, h("td"), head)),
    h("tbody", {}, shown.map(row)),
  );
}
