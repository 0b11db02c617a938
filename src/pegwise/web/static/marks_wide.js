// The marks of long codes, and of games that mark each place: loaded where a board needs them.

import { announce, h } from "./dom.js";
import { canGet, disc, legalText } from "./marks_possible.js";
import { codeWords, firstSign, markCounts, markElement, markText, markWords, pegElement, signWord } from "./pegs.js";
import { number, word } from "./words.js";

/** The mark of a long code: rows of numbers, and a button with the mark that they make. */
export function markRows(rules, onpick, { current = null, marks = null }) {
  const chosen = current === null ? { black: 0, white: 0 } : markCounts(current);
  const counts = [...Array(rules.pegs + 1).keys()];
  const possible = (black, white) => canGet(black, white, rules, marks);
  const whites = (black) => counts.filter((white) => possible(black, white));

  const choose = (kind, n) => {
    chosen[kind] = n;
    // the nearest number of misplaced pegs that goes with this number of exact ones
    const near = (a, b) => (Math.abs(a - chosen.white) <= Math.abs(b - chosen.white) ? a : b);
    if (!possible(chosen.black, chosen.white)) chosen.white = whites(chosen.black).reduce(near);
    draw();
  };
  const button = (kind, n) =>
    h("button", { type: "button", onclick: () => choose(kind, n) }, number(n));
  const row = (kind, sign, name) =>
    h(
      "div",
      { class: "near s numbers", role: "group", "aria-label": name },
      h("span", { class: "soft small" }, disc(sign), ` ${name}`),
      h("div", {}, counts.map((n) => button(kind, n))),
    );

  const exact = row("black", "x", word("exactNoun"));
  const misplaced = rules.marks.counted.includes("O") ? row("white", "o", word("misplaced")) : null;
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
    const [drawn, words] = [markElement(mark, rules, "s", false), markWords(mark, rules)];
    done.replaceChildren(...(drawn.textContent === words ? [] : [drawn]), words); // words are said once
  }
  if (!possible(chosen.black, chosen.white)) chosen.white = whites(chosen.black)[0] ?? 0;
  draw();
  return h("div", { class: "near rows" }, exact, misplaced, done);
}

/** A button for each place, which is tapped until it is absent, elsewhere or right; one that enters the mark. */
export function markPlaces(rules, onpick, { guess, current = null }) {
  const { cells } = rules.marks; // how a place is marked, from absent on
  const signs = current ? [...current] : Array(rules.pegs).fill(firstSign);
  const button = (letter, place) =>
    h("button", { type: "button", onclick: () => tap(place) }, pegElement(letter, signs[place]));
  const buttons = [...guess].map(button);
  const done = h("button", { type: "button", class: "btn go", onclick: () => onpick(signs.join("")) }, word("enterMark"));
  const all = h("button", { type: "button", class: "btn", onclick: () => onpick(rules.marks.won) }, word("allRight"));

  function tap(place) {
    const next = (cells.findIndex(([sign]) => sign === signs[place]) + 1) % cells.length;
    signs[place] = cells[next][0];
    draw();
    announce(buttons[place].getAttribute("aria-label"));
  }

  function draw() {
    buttons.forEach((button, place) => {
      const values = { n: place + 1, peg: codeWords(guess[place]), sign: signWord(signs[place]) };
      button.setAttribute("aria-label", word("placeMarked", values));
      button.replaceChildren(pegElement(guess[place], signs[place]), " ", h("small", {}, values.sign));
    });
    done.disabled = !legalText(signs.join(""), rules);
    done.title = markWords(signs.join(""), rules);
  }
  draw();
  return h(
    "div",
    { class: "near" },
    h("div", { class: "places", role: "group", "aria-label": word("marksOfPlaces") }, buttons),
    h("div", { class: "row" }, done, all),
  );
}
