// The mark of a long code: how many are exact and how many misplaced, in two rows of numbers.

import { h } from "./dom.js";
import { legalMark, markCounts, markElement, markText, markWords } from "./pegs.js";
import { number, word } from "./words.js";

/** Where a grid would be wider than the page. */
export const isLong = (rules) => rules.pegs > 6;

/**
 * Rows of numbers, and a button with the mark that they make.
 * @param rules the board
 * @param onpick called with the mark as `XXO`
 * @param options {current, marks}: the mark given so far; the marks that the guess can get
 */
export function markRows(rules, onpick, { current = null, marks = null } = {}) {
  const chosen = current === null ? { black: 0, white: 0 } : markCounts(current);
  const counts = [...Array(rules.pegs + 1).keys()];
  const possible = (black, white) =>
    legalMark(black, white, rules) && (!marks || marks.includes(markText(black, white)));
  const whites = (black) => counts.filter((white) => possible(black, white));

  const choose = (kind, n) => {
    chosen[kind] = n;
    // the nearest number of misplaced pegs that goes with so many exact ones
    const near = (a, b) => (Math.abs(a - chosen.white) <= Math.abs(b - chosen.white) ? a : b);
    if (!possible(chosen.black, chosen.white)) chosen.white = whites(chosen.black).reduce(near);
    draw();
  };
  const button = (kind, n) =>
    h("button", { type: "button", onclick: () => choose(kind, n) }, number(n));
  const row = (kind, disc, name) =>
    h(
      "div",
      { class: "numbers", role: "group", "aria-label": name },
      h("span", { class: "soft small" }, h("span", { class: "mark s k1", "aria-hidden": "true" }, h("i", { class: disc })), ` ${name}`),
      h("div", {}, counts.map((n) => button(kind, n))),
    );

  const exact = row("black", "x", word("exactNoun"));
  const misplaced = rules.black ? null : row("white", "o", word("misplaced"));
  const done = h("button", { type: "button", class: "btn go", onclick: () => onpick(markText(chosen.black, chosen.white)) });

  function draw() {
    const show = (group, kind, allowed) =>
      group?.querySelectorAll("button").forEach((one, n) => {
        one.setAttribute("aria-pressed", String(chosen[kind] === n));
        one.disabled = !allowed(n);
      });
    show(exact, "black", (n) => whites(n).length > 0);
    show(misplaced, "white", (n) => possible(chosen.black, n));
    const mark = markText(chosen.black, chosen.white);
    done.replaceChildren(markElement(mark, rules, "s", false), markWords(mark, rules));
  }
  if (!possible(chosen.black, chosen.white)) chosen.white = whites(chosen.black)[0] ?? 0;
  draw();
  return h("div", { class: "near rows" }, exact, misplaced, done);
}
