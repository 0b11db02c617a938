// The marks that a guess can get: a grid of buttons, two rows of numbers, or a button for each place.

import { query } from "./address.js";
import { get } from "./api.js";
import { complain, h } from "./dom.js";
import { canGet, disc } from "./marks_possible.js";
import { markElement, markText, markWords, ofTable } from "./pegs.js";
import { number, word } from "./words.js";

let wide = null; // what marks long codes and places

/** Load what the marks of a board need; to be awaited before there are any buttons. */
export async function loadMarks(rules) {
  if (rules.marks.cells.length || rules.pegs > 6) wide = await import("./marks_wide.js");
}

/**
 * Buttons that mark a guess, as they suit the board.
 * @param rules the board
 * @param onpick called with the mark, `XXO` or `GY--`
 * @param options {small, current, marks, guess}: for a narrow place; the mark given so far; the
 *   marks that the guess can get, where they are known; the guess
 */
export function markButtons(rules, onpick, options) {
  if (ofTable(rules)) return markChoices(rules, onpick, options);
  // a grid of a long code would be wider than the page
  return (rules.marks.cells.length ? wide.markPlaces : rules.pegs > 6 ? wide.markRows : markGrid)(rules, onpick, options);
}

/** A button for each mark that the guess can get, in a game with marks of its own. */
function markChoices(rules, onpick, { current = null, marks = null }) {
  const button = (mark) =>
    h("button", { type: "button", class: "btn s", "aria-pressed": String(mark === current), onclick: () => onpick(mark) }, mark);
  return h("div", { class: "row choices", role: "group", "aria-label": word("possibleMarks") }, inOrder(marks ?? [], rules.marks.won).map(button));
}

/** Marks as people look for them: by their numbers, the one that wins last. */
const inOrder = (marks, won) =>
  [...marks].sort((a, b) => (a === won) - (b === won) || a.localeCompare(b, undefined, { numeric: true }));

/** A grid: rows by exact, columns by misplaced. */
function markGrid(rules, onpick, { small = false, current = null, marks = null }) {
  const counts = [...Array(rules.pegs + 1).keys()];
  const pegs = { ...rules, marks: { ...rules.marks, worded: false } }; // a mark in words has no room
  const whites = rules.marks.counted.includes("O") ? counts : [0];
  const head = (scope, kind, n, name) => h("th", { scope }, disc(kind), number(n), h("span", { class: "sr" }, ` ${word(name)}`));
  const cell = (black, white) => {
    const mark = markText(black, white);
    if (!canGet(black, white, rules, marks)) return h("td");
    const pressed = current === null ? null : String(mark === current);
    const button = { type: "button", "aria-label": markWords(mark, rules), "aria-pressed": pressed, onclick: () => onpick(mark) };
    return h("td", {}, h("button", button, markElement(mark, pegs, small || rules.pegs > 5 ? "s" : "", false)));
  };
  const row = (black) => h("tr", {}, head("row", "x", black, "exactNoun"), whites.map((white) => cell(black, white)));
  const table = h(
    "table",
    { class: `tri ${small ? "small" : ""} ${rules.pegs > 5 ? "wide-marks" : ""} ${rules.pegs > 4 ? "three" : ""}` },
    h("caption", { class: "sr" }, word("possibleMarks")),
    h("thead", {}, h("tr", {}, h("td"), whites.map((n) => head("col", "o", n, "misplaced")))),
    h("tbody", {}, counts.map(row)),
  );
  const buttons = [...table.querySelectorAll("button")];
  const stop = (one) => buttons.forEach((each) => (each.tabIndex = each === one ? 0 : -1)); // arrows move within
  stop(buttons.find((one) => one.ariaPressed === "true") ?? buttons[0]);
  table.addEventListener("focusin", ({ target }) => stop(target));
  table.addEventListener("keydown", (event) => {
    const step = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[event.key];
    if (!step) return;
    event.preventDefault();
    const { cellIndex, parentElement } = event.target.closest("td");
    table.rows[parentElement.rowIndex + step[0]]?.cells[cellIndex + step[1]]?.querySelector("button")?.focus();
  });
  return h("div", { class: "wide" }, table);
}

let form = ""; // the form of marks that was chosen, once one was ambiguous

/**
 * A field in which a mark is typed, in any notation; the server reads it.
 * @param onpick called with the mark, and with what was inferred of it as a sentence
 */
export function markField(rules, guess, onpick) {
  const field = h("input", { autocomplete: "off", autocapitalize: "off", spellcheck: "false", size: 8 });
  const question = h("div", { class: "near", hidden: true });
  const submit = async (event) => {
    event.preventDefault();
    complain("");
    question.hidden = true;
    try {
      const asked = query({ rules: rules.text, guess, text: field.value, marks: form });
      const { mark, read_as: told, readings } = await get(`mark?${asked}`);
      if (mark !== null) return onpick(mark, told);
      question.replaceChildren(...markQuestion(field.value, readings, onpick));
      question.hidden = false;
      question.querySelector("button").focus();
    } catch (error) {
      complain(error.message);
      field.focus();
    }
  };
  return h(
    "div",
    { class: "near" },
    h(
      "form",
      { class: "row typed", onsubmit: submit },
      h("label", { class: "row" }, h("span", { class: "soft small" }, word("orType", { mark: rules.marks.example })), field),
      h("button", { class: "btn s" }, word("enterMark")),
    ),
    question,
  );
}

/** What an ambiguous mark may be: a button each, also pressed by its number. */
function* markQuestion(text, readings, onpick) {
  const choose = ({ mark, marks, words }) => {
    form = marks;
    onpick(mark, words);
  };
  const press = (event) => {
    const reading = readings[Number(event.key) - 1];
    if (!reading) return;
    event.preventDefault();
    event.stopPropagation(); // a digit is no mark here
    choose(reading);
  };
  yield h("p", { id: "which" }, word("severalWays", { text }));
  yield h(
    "ol",
    { class: "numbered", "aria-labelledby": "which", onkeydown: press },
    readings.map((reading) => h("li", {}, h("button", { type: "button", class: "link", onclick: () => choose(reading) }, reading.words))),
  );
}
