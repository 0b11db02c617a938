// A mark of places, entered by tapping each peg: absent, elsewhere, right.

import { announce, h } from "./dom.js";
import { codeWords, legalPlaces, markWords, nextSign, pegElement, signWord, winningMark } from "./pegs.js";
import { word } from "./words.js";

/**
 * A button for each place, and one that enters the mark.
 * @param rules the board
 * @param onpick called with the mark as `GY--`
 * @param options {guess, current}: the guess that is marked, and the mark given so far
 */
export function markPlaces(rules, onpick, { guess, current = null }) {
  const signs = current ? [...current] : Array(rules.pegs).fill("-");
  const button = (letter, place) =>
    h("button", { type: "button", onclick: () => tap(place) }, pegElement(letter, signs[place]));
  const buttons = [...guess].map(button);
  const done = h("button", { type: "button", class: "btn go", onclick: () => onpick(signs.join("")) }, word("enterMark"));
  const all = h("button", { type: "button", class: "btn", onclick: () => onpick(winningMark(rules)) }, word("allRight"));

  function tap(place) {
    signs[place] = nextSign(signs[place]);
    draw();
    announce(buttons[place].getAttribute("aria-label"));
  }

  function draw() {
    buttons.forEach((button, place) => {
      const values = { n: place + 1, peg: codeWords(guess[place]), sign: signWord(signs[place]) };
      button.setAttribute("aria-label", word("placeMarked", values));
      button.replaceChildren(pegElement(guess[place], signs[place]), h("small", {}, values.sign));
    });
    done.disabled = !legalPlaces(signs.join(""));
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
