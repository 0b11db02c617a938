// Pegs, codes and marks as elements, and how they are spoken.

import { h, pageData } from "./dom.js";
import { count, number, word } from "./words.js";

const ofWords = Boolean(pageData().rules?.letters); // whether codes are words

const typed = Boolean(pageData().rules?.typed); // whether codes are typed and shown as a whole

const inDigits = Boolean(pageData().rules?.digits); // whether the codes of the game are digits
const [COLORS, DIGITS] = ["ABCDEFGHIJ", "1234567890"];

/** What a person calls the colors, in order; empty where they are called by letters. */
let names = pageData().names ?? [];

/** Call the colors so from now on: `{name, label, paint}` each. */
export const useNames = (said) => (names = said);

/** What a color is called; undefined where it is called by its letter. */
export const colorOf = (letter) => names[letter?.charCodeAt(0) - 65];

/** A code in names of colors, as the server reads it. */
export const namedCode = (code) => (names.length ? [...code].map((letter) => colorOf(letter)?.name ?? letter).join(" ") : code);

/** The names of the colors in an address. */
export const namesText = () => names.map(({ name }) => name).join(",");

/** The letter of a color that is typed: of its name, or of a digit where codes are digits. */
export function letterOf(sign) {
  if (!names.length) return (inDigits && sign && COLORS[DIGITS.indexOf(sign)]) || sign;
  const typed = sign.toLowerCase();
  const own = names.findIndex(({ name }) => name.toLowerCase() === typed);
  const begun = [...names.keys()].filter((k) => names[k].name.toLowerCase().startsWith(typed));
  const place = own >= 0 ? own : begun.length === 1 ? begun[0] : -1;
  return place < 0 ? "" : String.fromCharCode(65 + place);
}

/** The attributes of a peg: its color, and what it is called. */
export function pegColor(letter) {
  const own = colorOf(letter);
  return { "data-c": letter, "data-paint": own?.paint || null, "data-size": own ? [...own.label].length : null, title: own?.name ?? null };
}

/** What stands on a peg: what its color is called, or its letter, or a digit where codes are digits. */
export const signOf = (letter) => colorOf(letter)?.label ?? ((inDigits && letter && DIGITS[COLORS.indexOf(letter)]) || letter);

/** An empty hole, in codes as text. */
export const HOLE = ".";

/** A peg or an empty hole, with the sign of its mark in a game of places. */
export const pegElement = (letter, sign = "") =>
  letter === HOLE
    ? h("span", { class: "hole" })
    : h("span", { class: "peg", ...pegColor(letter), "data-m": lookOf(sign) }, signOf(letter));

/** A code letter by letter; a word as it is. */
export const codeWords = (code) =>
  ofWords ? code : [...code].map((letter) => (letter === HOLE ? word("hole") : (colorOf(letter)?.name ?? signOf(letter)))).join(" ");

/** A code as pegs; `size` is "", "s", "xs" or "l"; each has the sign of its place in the mark. */
export const codeElement = (code, size = "", mark = "") =>
  typed ? h("b", { class: "whole" }, code) : h(
    "span",
    { class: `code ${size}`, role: "img", "aria-label": codeWords(code) },
    [...code].map((letter, place) => pegElement(letter, mark[place])),
  );

/** How a place is marked, from absent on: a sign, the class that draws it, and its word. */
const CELLS = pageData().rules?.marks.cells ?? [];
const cellOf = (sign) => CELLS.find(([own]) => own === sign);
const rankOf = (sign) => CELLS.findIndex(([own]) => own === sign);

/** How places are marked before they are tapped. */
export const firstSign = CELLS[0]?.[0];

/** The class that draws how a place is marked. */
export const lookOf = (sign) => cellOf(sign)?.[1];

/** How a place is marked, in a word. */
export const signWord = (sign) => cellOf(sign)[2];

/** What the marks of places tell of each letter: the best sign that it got. */
export function letterSigns(turns) {
  const signs = new Map();
  for (const { guess, mark } of turns) {
    [...guess].forEach((letter, place) => {
      if (rankOf(mark[place]) >= rankOf(signs.get(letter) ?? firstSign)) signs.set(letter, mark[place]);
    });
  }
  return signs;
}

/** A mark `XXO` as numbers. */
export const markCounts = (mark) => ({
  black: mark.split("X").length - 1,
  white: mark.split("O").length - 1,
});

/** Numbers as a mark `XXO`. */
export const markText = (black, white) => "X".repeat(black) + "O".repeat(white) || "-";

/** Whether a mark was noted in part: `XX?` or `0b?w` without its white pegs, `=3` as a sum. */
const isPartial = (mark) => /[?=]/.test(mark);

/** A mark in the words that the game has of its own; undefined where it has none. */
function ownWords(mark, { marks: { worded, words: own } }) {
  if (!worded) return undefined;
  if (!own) return mark;
  const { black, white } = markCounts(mark);
  const said = (n, [one, many]) => {
    const text = n > 1 ? many : one;
    return text.includes("{n}") ? text.replace("{n}", n) : Array(n).fill(text).join(" ");
  };
  return [black && said(black, own.black), white && said(white, own.white)].filter(Boolean).join(" ") || own.nothing;
}

/** Whether marks are texts of a table, which are neither counted nor set for each place. */
export const ofTable = ({ marks }) => marks.worded && !marks.words;

/** A mark in words. */
export function markWords(mark, rules) {
  const own = isPartial(mark) && !ofTable(rules) ? undefined : ownWords(mark, rules);
  if (own !== undefined) return own;
  if (mark.startsWith("=")) return word("sumNoted", { n: mark.slice(1) });
  if (isPartial(mark)) return count("blackNoted", markCounts(mark).black);
  if (rules.marks.cells.length) return [...mark].map(signWord).join(", ");
  const { black, white } = markCounts(mark);
  return count("exact", black) + (rules.marks.counted.includes("O") ? `, ${count("whites", white)}` : "");
}

/** The class that gives a mark its columns: one row up to three pegs, else two. */
const markColumns = (pegs) => `k${pegs <= 3 ? pegs : Math.ceil(pegs / 2)}`;

/** A mark as a grid of disc (exact), ring (misplaced) and speck (nothing); "" has specks only. */
export function markElement(mark, rules, size = "", spoken = true) {
  const hidden = { "aria-hidden": "true" };
  if (mark && ownWords(mark, rules) !== undefined) {
    return h("span", { class: `part ${size}`, ...(spoken ? {} : hidden) }, markWords(mark, rules));
  }
  const label = spoken && mark ? { role: "img", "aria-label": markWords(mark, rules) } : hidden;
  if (isPartial(mark)) return h("span", { class: `part num ${size}`, ...label }, mark);
  const { black, white } = markCounts(mark);
  const byPlace = rules.marks.cells.length > 0;
  const discs = Array.from({ length: rules.pegs }, (_, place) =>
    h("i", { class: byPlace ? lookOf(mark[place]) : place < black ? "x" : place < black + white ? "o" : null }),
  );
  const columns = byPlace ? "places" : markColumns(rules.pegs);
  return h("span", { class: `mark ${columns} ${size}`, ...label }, discs);
}

/** The marks of places, which stand at their pegs; "" of other marks. */
export const placesOf = (mark, rules) => (rules.marks.cells.length ? mark : "");

/** A row of a board: a turn with its number; `last` stands at its end. */
export const turnRow = ({ guess, mark }, n, rules, last = h("span")) =>
  h(
    "li",
    { class: "turn" },
    h("span", { class: "n" }, number(n)),
    codeElement(guess, "", placesOf(mark, rules)),
    markElement(mark, rules, rules.marks.cells.length ? "sr" : ""), // marks of places stand at their pegs
    last,
  );

/** The row in which a guess is made; without a mark for a code that is only checked. */
export const currentRow = (n, slots, rules, marked = true) =>
  h(
    "li",
    { class: "turn now", "aria-current": "step" },
    h("span", { class: "n" }, n),
    slots,
    marked && !rules.marks.worded ? markElement("", rules, rules.marks.cells.length ? "sr" : "") : h("span"),
    h("span"),
  );
