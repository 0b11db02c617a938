// A round that is over: how all played, first guesses, and what strategies need.

import { historyText, query } from "./address.js";
import { get } from "./api.js";
import { complain, find, h } from "./dom.js";
import { codeElement, markElement } from "./pegs.js";
import { count, number, sentence, word } from "./words.js";

let shown = ""; // the round that is shown, and whether its report was complete

/** Show the results of the newest round; asked again, only what is new. */
export async function loadResults(base, room, rules) {
  try {
    const results = await get(`${base}/results?round=${room.round}`);
    const name = `${results.round} ${results.report.complete} ${results.games.length}`;
    if (name === shown) return;
    shown = name;
    find("#results").replaceChildren(...sections(results, room, rules));
  } catch (error) {
    if (error.status !== 409) complain(error.message); // else the next round has begun
  }
}

function sections(results, room, rules) {
  const { games, puzzles, report, strategies } = results;
  if (!games.length) return [h("p", {}, word("nobodyPlayed"))];
  const title = h("h2", {}, word("howPlayed"));
  if (puzzles.length) return [title, sheetTable(games, puzzles.length), solutions(puzzles, rules)];
  const duel = room.mode === "duel";
  const code = codeElement(games[0].secret, "s");
  return [
    !duel && h("p", { class: "secret" }, sentence(rules.letters ? "theWord" : "theCode", { code })),
    title,
    gamesTable(games, report, rules, duel),
    !report.complete && h("p", { class: "soft small", role: "status" }, word("computing")),
    ...(report.complete ? [firstGuesses(games, report), !duel && needed(report, strategies)] : []),
  ].filter(Boolean);
}

/** A table that scrolls in its own box. */
const table = (label, head, rows) =>
  h(
    "div",
    { class: "wide", tabindex: 0, role: "region", "aria-label": label },
    h(
      "table",
      { class: "data" },
      h("thead", {}, h("tr", {}, head.map((text) => (text ? h("th", { scope: "col" }, text) : h("td"))))),
      h("tbody", {}, rows),
    ),
  );

function gamesTable(games, report, rules, duel) {
  const above = ({ number: player }) => {
    const cost = report.costs[player];
    if (!cost || cost.above === null) return "–";
    const key = cost.unit === "guesses" ? "aboveGuesses" : "aboveBits";
    return count(key, cost.above, { n: number(cost.above, 2, 2) });
  };
  const turn = ({ guess, mark }) =>
    h("span", { class: "g" }, codeElement(guess, "xs", rules.placed ? mark : ""), markElement(mark, rules, rules.placed ? "sr" : "s"));
  const review = (game) =>
    `/review?${query({ rules: rules.text, history: historyText(game.turns), secret: game.secret })}`;
  const head = ["name", "guesses", "above"].map((key) => word(key));
  const rows = games.map((game) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, game.name),
      h("td", {}, game.over ? number(game.turns.length) : word("notFound")),
      h("td", { "data-head": word("above") }, above(game)),
      duel && h("td", { "data-head": word("sought") }, codeElement(game.secret, "xs"), " ", h("span", { class: "soft small" }, game.partner || "pegwise")),
      h("td", {}, h("div", { class: "played" }, game.turns.map(turn))),
      h("td", {}, h("a", { class: "link", href: review(game), "aria-label": word("reviewOf", { name: game.name }) }, word("review"))),
    ),
  );
  return table(word("howPlayed"), [...head, ...(duel ? [word("sought")] : []), word("turns"), ""], rows);
}

function sheetTable(games, all) {
  const rows = games.map((game) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, game.name),
      h("td", {}, word("solvedOf", { n: game.solved, all })),
      h("td", {}, number(game.turns.filter(({ mark }) => mark !== "skipped").length)),
    ),
  );
  return table(word("howPlayed"), [word("name"), word("solved"), word("tries")], rows);
}

const solutions = (puzzles, rules) =>
  h(
    "section",
    { class: "near" },
    h("h2", {}, word("puzzles")),
    h(
      "ol",
      { class: "solutions" },
      puzzles.map(({ solution, seed, level }, k) =>
        h(
          "li",
          { class: "row" },
          h("b", {}, number(k + 1)),
          codeElement(solution, "s"),
          h("a", { class: "link", href: `/puzzle?${query({ rules: rules.text, level, seed })}`, "aria-label": word("explain", { n: k + 1 }) }, word("explained")),
        ),
      ),
    ),
  );

/** The different first guesses with who played them, the one that can tell most on top. */
function firstGuesses(games, report) {
  const guesses = new Map();
  for (const { number: player, name, turns } of games) {
    const guess = turns[0].guess;
    if (!guesses.has(guess)) guesses.set(guess, { bits: report.costs[player]?.first ?? null, names: [] });
    guesses.get(guess).names.push(name);
  }
  const rows = [...guesses]
    .sort(([, a], [, b]) => (b.bits ?? -1) - (a.bits ?? -1))
    .map(([guess, { bits, names }]) =>
      h(
        "li",
        { class: "row" },
        codeElement(guess, "s"),
        h("b", {}, bits === null ? "" : count("bits", bits, { n: number(bits, 2, 2) })),
        h("span", { class: "soft" }, names.join(", ")),
      ),
    );
  return h("section", { class: "near" }, h("h2", {}, word("firstGuesses")), h("ul", { class: "first" }, rows));
}

function needed(report, strategies) {
  const guesses = Object.entries(Object.values(report.needed)[0] ?? {});
  if (!guesses.length) return null;
  const items = guesses.map(([name, n]) => h("li", {}, h("b", {}, count("inTurns", n)), ` ${strategies[name]}`));
  return h("section", { class: "near" }, h("h2", {}, word("strategies")), h("ul", { class: "stats" }, items));
}
