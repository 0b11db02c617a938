// Pegs, codes and marks as elements, and how they are spoken.

import { h } from "./dom.js";
import { word } from "./words.js";

/** An empty hole, in codes as text. */
export const HOLE = ".";

/** A peg, or an empty hole. */
const pegElement = (letter) =>
  letter === HOLE ? h("span", { class: "hole" }) : h("span", { class: "peg", "data-c": letter }, letter);

/** A code letter by letter. */
export const codeWords = (code) =>
  [...code].map((letter) => (letter === HOLE ? word("hole") : letter)).join(" ");

/** A code as pegs; `size` is "", "s", "xs" or "l". */
export const codeElement = (code, size = "") =>
  h(
    "span",
    { class: `code ${size}`, role: "img", "aria-label": codeWords(code) },
    [...code].map(pegElement),
  );

/** A mark `XXO` as numbers. */
export const markCounts = (mark) => ({
  black: mark.split("X").length - 1,
  white: mark.split("O").length - 1,
});

/** Numbers as a mark `XXO`. */
export const markText = (black, white) => "X".repeat(black) + "O".repeat(white) || "-";

/** A mark in words. */
export function markWords(mark, rules) {
  const { black, white } = markCounts(mark);
  return word(rules.black ? "exact" : "mark", { black, white });
}

/** The class that gives a mark its columns: one row up to three pegs, else two. */
const markColumns = (pegs) => `k${pegs <= 3 ? pegs : Math.ceil(pegs / 2)}`;

/** A mark as a grid of disc (exact), ring (misplaced) and speck (nothing); "" has specks only. */
export function markElement(mark, rules, size = "", spoken = true) {
  const { black, white } = markCounts(mark);
  const discs = Array.from({ length: rules.pegs }, (_, place) =>
    h("i", { class: place < black ? "x" : place < black + white ? "o" : null }),
  );
  const label = spoken && mark
    ? { role: "img", "aria-label": markWords(mark, rules) }
    : { "aria-hidden": "true" };
  return h("span", { class: `mark ${markColumns(rules.pegs)} ${size}`, ...label }, discs);
}

/** Whether a mark can be given: never all but one exact and that one misplaced. */
export const legalMark = (black, white, rules) =>
  black + white <= rules.pegs &&
  !(black === rules.pegs - 1 && white === 1) &&
  !(rules.black && white > 0);

/** Reads `21`, `2 1`, `2b1w`, `XXO` or `-`; null where it is none of these. */
export function readMark(text) {
  const typed = text.trim();
  if (/^(-|0)$/.test(typed)) return { black: 0, white: 0 };
  const pair = typed.match(/^(\d)(\d)$/) ?? typed.match(/^(\d+)[\s,;]+(\d+)$/);
  if (pair) return { black: +pair[1], white: +pair[2] };
  const named =
    typed.match(/^(?:(\d+)\s*b)?[\s,]*(?:(\d+)\s*w)?$/i) ??
    typed.match(/^(\d+)\s*n[\s,]*(?:(\d+)\s*b)?$/i); // noirs, blancs
  if (typed && named) return { black: +(named[1] ?? 0), white: +(named[2] ?? 0) };
  if (/^[xo]+$/i.test(typed)) return markCounts(typed.toUpperCase());
  return null;
}
