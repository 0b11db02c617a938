// A race on a projector: who is best, then how many guesses each strategy needed, the best first.

import { find, h } from "./dom.js";
import { present } from "./slides.js";
import { milliseconds, number, word } from "./words.js";

const bar = (won, k, all) => h("li", {}, h("span", {}, number(k + 1)), h("i", { "data-share": (100 * won) / Math.max(...all) }), h("b", {}, number(won)));

/** Show a race whose entrants have these items in its page; `before` tells their order. */
export function showSlides(race, items, before) {
  const needs = (entrant) => {
    const values = { mean: number(entrant.mean, 3, 3), worst: number(entrant.worst), time: milliseconds(entrant.seconds / entrant.games) };
    return word(race.timed ? "takes" : "needs", { strategy: find("h2", items[entrant.place]).textContent, ...values });
  };
  const ranked = race.lanes.filter(({ mean }) => mean !== null).sort(before);
  present([[find("#best").textContent, find("#chart img")], ...ranked.map((entrant) => [needs(entrant), h("ul", { class: "bars" }, entrant.histogram.map(bar))])]);
}
