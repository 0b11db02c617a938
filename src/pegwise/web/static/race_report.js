// The report of a race: its table, and its chart in the colors of the page.

import { find, h } from "./dom.js";
import { count, listed, milliseconds, number, word } from "./words.js";

/** All counts, smallest mean first. */
export function showTable(results, entrants, race) {
  const games = (one) => (one.failure ? one.games : Infinity);
  const standings = [...results.results].sort((a, b) => games(b) - games(a) || a.mean - b.mean);
  const worst = Math.max(...standings.map((one) => one.worst));
  const counts = Array.from({ length: worst }, (_, index) => index + 1);
  const head = (text, label = null) => h("th", { class: "num", scope: "col", "aria-label": label }, text);
  const none = [h("span", { "aria-hidden": "true" }, "·"), h("span", { class: "sr" }, number(0))];
  const cell = (value) =>
    value
      ? h("td", { class: "num" }, number(value))
      : h("td", { class: "num zero" }, none.map((part) => part.cloneNode(true)));
  const table = find("table.final");
  find("thead", table).replaceChildren(
    h("tr", {}, h("th", { scope: "col" }, word("strategy")), counts.map((n) => head(number(n), count("inTurns", n))), head(word("total")), head(word("mean")), head(word("worst")), race.timed && head(word("each"))),
  );
  const who = (one) => entrants.find((entrant) => entrant.strategy === one.label) ?? { name: one.label, who: "" };
  const margin = ({ interval }) =>
    interval && h("span", { class: "soft small partly" }, `± ${number((interval[1] - interval[0]) / 2, 3, 3)}`);
  const partly = (one) =>
    one.games < race.length &&
    h("span", { class: "soft small partly" }, word("gamesOfAll", { n: number(one.games), all: number(race.length) }));
  find("tbody", table).replaceChildren(
    ...standings.map((one) =>
      h("tr", {},
        h("th", { scope: "row" }, who(one).name, " ", h("span", { class: "soft small who" }, who(one).who), partly(one)),
        counts.map((n) => cell(one.histogram[n] ?? 0)),
        h("td", { class: "num" }, number(one.total)),
        h("td", { class: "num" }, h("b", {}, number(one.mean, 3, 3)), margin(one)),
        h("td", { class: "num" }, number(one.worst)),
        race.timed && h("td", { class: "num" }, milliseconds(one.played.seconds)),
      ),
    ),
  );
  const alike = results.identical.map((labels) => listed(labels.map((label) => who({ label }).name)));
  find("#alike").replaceChildren(...alike.map((names) => h("li", {}, word("sameTree", { names }))));
  const [best, second] = standings;
  const close = second && best.interval && second.interval && best.interval[1] >= second.interval[0];
  const tied = best.interval ? [] : standings.filter((one) => one.mean === best.mean && !one.failure === !best.failure).map((one) => who(one).name);
  const fastest = [...standings].sort((a, b) => a.played?.seconds - b.played?.seconds)[0];
  find("#best").textContent = race.state === "stopped" ? word("soFar") : race.timed ? word("fastestOf", { strategy: who(fastest).name, time: milliseconds(fastest.played.seconds) }) : close ? word("tooClose", { strategy: who(best).name, other: who(second).name }) : tied.length > 1 ? word("bestTied", { strategies: listed(tied), mean: number(best.mean, 3, 3) }) : count("bestOf", best.worst, { strategy: who(best).name, mean: number(best.mean, 3, 3) });
}

/** The chart in the colors of the page, drawn by the server; again whenever these change. */
export function showChart(base, query = "") {
  const place = find("#chart");
  const narrow = matchMedia("(max-width: 640px)").matches;
  const picture = h("img", { alt: place.dataset.label });
  const draw = () => {
    const shade = isDark() ? "dark" : "light";
    picture.src = `/api/${base}/chart.svg?shade=${shade}&narrow=${narrow}&${query}`;
  };
  draw();
  place.replaceChildren(picture);
  const changed = { attributeFilter: ["data-theme"] };
  new MutationObserver(draw).observe(document.documentElement, changed);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
}

const isDark = () => {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
};
