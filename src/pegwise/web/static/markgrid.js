// The marks that can be given, as a grid of buttons, with a field to type one.

import { complain, h } from "./dom.js";
import { legalMark, markElement, markText, markWords, readMark } from "./pegs.js";
import { number, word } from "./words.js";

/**
 * A grid: rows by exact, columns by misplaced.
 * @param rules the board
 * @param onpick called with the mark as `XXO`
 * @param options {small, current, marks}: for a narrow place; the mark given so far; the marks
 *   that the guess can get, where they are known
 */
export function markGrid(rules, onpick, { small = false, current = null, marks = null } = {}) {
  const counts = [...Array(rules.pegs + 1).keys()];
  const whites = rules.black ? [0] : counts;
  const dot = (kind) =>
    h("span", { class: "mark s k1", "aria-hidden": "true" }, h("i", { class: kind }));
  const head = h(
    "tr",
    {},
    h("td"),
    whites.map((n) =>
      h("th", { scope: "col" }, dot("o"), number(n), h("span", { class: "sr" }, ` ${word("misplaced")}`)),
    ),
  );
  const cell = (black, white) => {
    const mark = markText(black, white);
    if (!legalMark(black, white, rules) || (marks && !marks.includes(mark))) return h("td");
    return h(
      "td",
      {},
      h(
        "button",
        {
          type: "button",
          "aria-label": markWords(mark, rules),
          "aria-pressed": current === null ? null : String(mark === current),
          onclick: () => onpick(mark),
        },
        markElement(mark, rules, small || rules.pegs > 5 ? "s" : "", false),
      ),
    );
  };
  const rows = counts.map((black) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, dot("x"), number(black), h("span", { class: "sr" }, ` ${word("exactNoun")}`)),
      whites.map((white) => cell(black, white)),
    ),
  );
  const table = h(
    "table",
    { class: `tri ${small ? "small" : ""} ${rules.pegs > 5 ? "wide-marks" : ""} ${rules.pegs > 4 ? "three" : ""}` },
    h("caption", { class: "sr" }, word("possibleMarks")),
    h("thead", {}, head),
    h("tbody", {}, rows),
  );
  return h("div", { class: "wide" }, table);
}

/** A field in which a mark is typed: `21`, `2b1w`, `XXO`, `-`. */
export function markField(rules, onpick) {
  const field = h("input", { autocomplete: "off", autocapitalize: "off", spellcheck: "false", size: 8 });
  const submit = (event) => {
    event.preventDefault();
    const mark = readMark(field.value, rules);
    complain("");
    if (!mark) {
      complain(word("badMark", { text: field.value }));
      return field.focus();
    }
    onpick(mark);
  };
  return h(
    "form",
    { class: "row typed", onsubmit: submit },
    h("label", { class: "row" }, h("span", { class: "soft small" }, word("orType")), field),
    h("button", { class: "btn s" }, word("enterMark")),
  );
}
