// The marks that can be given, and the signs of pegs: for all buttons that mark a guess.

import { h } from "./dom.js";
import { markText } from "./pegs.js";

/** The sign of one kind of pegs in a mark, as a heading. */
export const disc = (kind) =>
  h("span", { class: "mark s k1", "aria-hidden": "true" }, h("i", { class: kind }));

/** Whether a guess can get a mark with these numbers: one of `marks`, or any mark of the game. */
export const canGet = (black, white, rules, marks) =>
  marks
    ? marks.includes(markText(black, white))
    : black + white <= rules.pegs &&
      !(white && !rules.marks.counted.includes("O")) &&
      legalText(markText(black, white), rules);

/** Whether a mark that is put together of signs can be given. */
export const legalText = (mark, rules) => !rules.marks.impossible.includes(mark);
