// The mark of a guess, worked out in the page.

import { markText } from "./pegs.js";

/** The letters of the pegs of a game. */
export const lettersOf = ({ letters, colors }) => [...(letters ?? "ABCDEFGHIJKLMNOPQRSTUVWXYZ".slice(0, colors))];

/** The mark of a guess against a code. */
export function markOf(guess, code, rules) {
  if (rules.marks.cells.length) return placedMark(guess, code, rules.marks);
  const black = [...guess].filter((letter, k) => letter === code[k]).length;
  const times = (text, letter) => text.split(letter).length - 1;
  const common = lettersOf(rules).map((letter) => Math.min(times(guess, letter), times(code, letter)));
  return markText(black, rules.marks.counted.includes("O") ? common.reduce((sum, n) => sum + n) - black : 0);
}

/** The mark of every place; where letters are used up, those elsewhere count from the first on. */
function placedMark(guess, code, { cells, used_up: usedUp }) {
  const [absent, elsewhere, own] = cells.map(([sign]) => sign);
  const right = (letter, k) => letter === code[k];
  const rest = [...code].filter((letter, k) => !usedUp || letter !== guess[k]);
  const sign = (letter, k) => {
    const at = right(letter, k) ? -1 : rest.indexOf(letter);
    if (usedUp && at >= 0) rest.splice(at, 1);
    return right(letter, k) ? own : at >= 0 ? elsewhere : absent;
  };
  return [...guess].map(sign).join("");
}

/** The place of the first turn that would have another mark if this were the code; -1 for none. */
export const firstMisfit = (turns, code, rules) =>
  turns.findIndex(({ guess, mark }) => markOf(guess, code, rules) !== mark);
