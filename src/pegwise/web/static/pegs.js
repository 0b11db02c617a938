// Pegs, codes and marks as elements, and how they are spoken.

import { h, pageData } from "./dom.js";
import { count, number, word } from "./words.js";

const ofWords = Boolean(pageData().rules?.letters); // whether codes are words

const inDigits = Boolean(pageData().rules?.digits); // whether the codes of the game are digits
const [COLORS, DIGITS] = ["ABCDEFGHIJ", "1234567890"];

/** The letter of a color as the game writes it: a digit where its codes are digits. */
export const signOf = (letter) => (inDigits && letter && DIGITS[COLORS.indexOf(letter)]) || letter;

/** The letter of a color that is typed: of a digit where codes are digits. */
export const letterOf = (sign) => (inDigits && sign && COLORS[DIGITS.indexOf(sign)]) || sign;

/** An empty hole, in codes as text. */
export const HOLE = ".";

/** A peg or an empty hole, with the sign of its mark in a game of places. */
export const pegElement = (letter, sign = "") =>
  letter === HOLE
    ? h("span", { class: "hole" })
    : h("span", { class: "peg", "data-c": letter, "data-m": SIGNS[sign]?.[0] }, signOf(letter));

/** A code letter by letter; a word as it is. */
export const codeWords = (code) =>
  ofWords ? code : [...code].map((letter) => (letter === HOLE ? word("hole") : signOf(letter))).join(" ");

/** A code as pegs; `size` is "", "s", "xs" or "l"; each has the sign of its place in the mark. */
export const codeElement = (code, size = "", mark = "") =>
  h(
    "span",
    { class: `code ${size}`, role: "img", "aria-label": codeWords(code) },
    [...code].map((letter, place) => pegElement(letter, mark[place])),
  );

/** How a place is marked, from absent on: the class of its sign, its word, and how it is typed. */
const SIGNS = {
  "-": ["n", "absent", "-_.0⬛⬜"],
  Y: ["y", "elsewhere", "YJ1O○🟨🟡"],
  G: ["g", "right", "GV2X●🟩🟢"],
};

/** The next way to mark a place. */
export const nextSign = (sign) => ({ "-": "Y", Y: "G", G: "-" })[sign];

/** How a place is marked, in a word. */
export const signWord = (sign) => word(SIGNS[sign][1]);

/** What the marks of places tell of each letter: the best sign that it got. */
export function letterSigns(turns) {
  const signs = new Map();
  for (const { guess, mark } of turns) {
    [...guess].forEach((letter, place) => {
      if ("-YG".indexOf(mark[place]) >= "-YG".indexOf(signs.get(letter) ?? "-")) signs.set(letter, mark[place]);
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

/** Whether a mark was noted in part: `XX?` without its white pegs, `=3` as a sum. */
const isPartial = (mark) => /[?=]/.test(mark);

/** A mark in the words that the game has of its own; undefined where it has none. */
function ownWords(mark, { marked, own }) {
  if (marked) return mark;
  if (!own) return undefined;
  const { black, white } = markCounts(mark);
  const said = (n, [one, many]) => {
    const text = n > 1 ? many : one;
    return text.includes("{n}") ? text.replace("{n}", n) : Array(n).fill(text).join(" ");
  };
  return [black && said(black, own.black), white && said(white, own.white)].filter(Boolean).join(" ") || own.nothing;
}

/** A mark in words. */
export function markWords(mark, rules) {
  const own = isPartial(mark) && !rules.marked ? undefined : ownWords(mark, rules);
  if (own !== undefined) return own;
  if (mark.startsWith("=")) return word("sumNoted", { n: mark.slice(1) });
  if (isPartial(mark)) return count("blackNoted", mark.length - 1);
  if (rules.placed) return [...mark].map(signWord).join(", ");
  const { black, white } = markCounts(mark);
  return count("exact", black) + (rules.black ? "" : `, ${count("whites", white)}`);
}

/** The class that gives a mark its columns: one row up to three pegs, else two. */
const markColumns = (pegs) => `k${pegs <= 3 ? pegs : Math.ceil(pegs / 2)}`;

/** A mark as a grid of disc (exact), ring (misplaced) and speck (nothing); "" has specks only. */
export function markElement(mark, rules, size = "", spoken = true) {
  if (mark && ownWords(mark, rules) !== undefined) {
    return h("span", { class: `part ${size}`, ...(spoken ? {} : { "aria-hidden": "true" }) }, markWords(mark, rules));
  }
  if (isPartial(mark)) {
    return h("span", { class: `part num ${size}`, ...(spoken ? { role: "img", "aria-label": markWords(mark, rules) } : { "aria-hidden": "true" }) }, mark);
  }
  const { black, white } = markCounts(mark);
  const discs = Array.from({ length: rules.pegs }, (_, place) =>
    h("i", { class: rules.placed ? SIGNS[mark[place]]?.[0] : place < black ? "x" : place < black + white ? "o" : null }),
  );
  const label = spoken && mark
    ? { role: "img", "aria-label": markWords(mark, rules) }
    : { "aria-hidden": "true" };
  const columns = rules.placed ? "places" : markColumns(rules.pegs);
  return h("span", { class: `mark ${columns} ${size}`, ...label }, discs);
}

/** A row of a board: a turn with its number; `last` stands at its end. */
export const turnRow = ({ guess, mark }, n, rules, last = h("span")) =>
  h(
    "li",
    { class: "turn" },
    h("span", { class: "n" }, number(n)),
    codeElement(guess, "", rules.placed ? mark : ""),
    markElement(mark, rules, rules.placed ? "sr" : ""), // marks of places stand at their pegs
    last,
  );

/** The row in which a guess is made; without a mark for a code that is only checked. */
export const currentRow = (n, slots, rules, marked = true) =>
  h(
    "li",
    { class: "turn now", "aria-current": "step" },
    h("span", { class: "n" }, n),
    slots,
    marked && !rules.marked && !rules.own ? markElement("", rules, rules.placed ? "sr" : "") : h("span"),
    h("span"),
  );

/** Whether a mark can be given: never all but one exact and that one misplaced. */
export const legalMark = (black, white, rules) =>
  black + white <= rules.pegs &&
  !(black === rules.pegs - 1 && white === 1) &&
  !(rules.black && white > 0);

/** The mark of the guess that is the secret. */
export const winningMark = (rules) => (rules.placed ? "G" : "X").repeat(rules.pegs);

/** Whether a mark of places can be given: likewise. */
export const legalPlaces = (mark) => !/^G*YG*$/.test(mark);

/** A mark that is typed: `21`, `2 1`, `2b1w`, `XXO`, `-`, `2 ?`, `=3`, or `GY--`; null where it is none. */
export function readMark(text, rules) {
  const typed = text.trim();
  if (rules.placed) return readPlaces(typed, rules);
  const partial = readPartial(typed);
  if (partial && !rules.black) return partial.number <= rules.pegs ? partial.mark : null;
  const counts = readCounts(typed);
  return counts && legalMark(counts.black, counts.white, rules) ? markText(counts.black, counts.white) : null;
}

function readPlaces(typed, { pegs }) {
  const read = (sign) => Object.keys(SIGNS).find((key) => SIGNS[key][2].includes(sign.toUpperCase())) ?? "?";
  const signs = [...typed.replace(/[\s\uFE0F]/g, "")].map(read).join("");
  const mark = signs === "-" ? signs.repeat(pegs) : signs;
  return mark.length === pegs && !mark.includes("?") && legalPlaces(mark) ? mark : null;
}

function readPartial(typed) {
  const sum = typed.match(/^=\s*(\d+)$/);
  if (sum) return { number: +sum[1], mark: `=${+sum[1]}` };
  const black = typed.match(/^(\d+)\s*b?\s*[,;]?\s*\?$/i) ?? (/^x+\?$/i.test(typed) ? [0, typed.length - 1] : null);
  return black && { number: +black[1], mark: "X".repeat(+black[1]) + "?" };
}

function readCounts(typed) {
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
