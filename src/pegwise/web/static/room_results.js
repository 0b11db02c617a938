// A round that is over: how all played, first guesses, and what strategies need.

import { historyText, query } from "./address.js";
import { get } from "./api.js";
import { announce, complain, disclosure, find, h } from "./dom.js";
import { codeElement, markElement } from "./pegs.js";
import { count, number, sentence, word } from "./words.js";

let shown = ""; // the round that is shown, and whether its report was complete
let chosen = null; // an earlier round that was asked for, of which newest
let anonymous = false; // whether names are hidden

/** Show the results of the newest round, or of the one that was chosen; asked again, what is new. */
export async function loadResults(base, room, rules) {
  const wanted = chosen?.of === room.round ? chosen.round : room.round;
  try {
    const results = await get(`${base}/results?round=${wanted}`);
    const name = `${results.round} ${room.round} ${results.report.complete} ${results.games.length} ${anonymous}`;
    if (name === shown) return;
    shown = name;
    if (anonymous) hideNames(results);
    const place = find("#results");
    const at = [...place.querySelectorAll(".choose button")].indexOf(document.activeElement);
    place.replaceChildren(h("div", { class: "row choose no-print" }, rounds(results), names()), ...sections(results, room, rules));
    if (room.you) announce(find(".own", place)?.textContent ?? "");
    if (at >= 0) place.querySelectorAll(".choose button")[at].focus();
  } catch (error) {
    if (error.status !== 409) complain(error.message); // else the next round has begun
  }

  function rounds(results) {
    if (room.round < 2) return null;
    const choose = (round) => ((chosen = { round, of: room.round }), loadResults(base, room, rules));
    const button = (round) =>
      h("button", { type: "button", "aria-pressed": String(round === results.round), onclick: () => choose(round) }, word("round", { n: round }));
    return h("div", { class: "seg" }, Array.from({ length: room.round }, (_, k) => button(k + 1)));
  }

  function names() {
    if (room.you) return null;
    const flip = () => ((anonymous = !anonymous), loadResults(base, room, rules));
    return h("button", { type: "button", class: "link", onclick: flip }, word(anonymous ? "showNames" : "hideNames"));
  }
}

/** Numbers in place of names, the same in all tables. */
function hideNames({ games, totals }) {
  for (const row of [...games, ...totals]) row.name = word("pupil", { n: row.number });
  for (const game of games) if (game.partner) game.partner = "–";
}

function sections(results, room, rules) {
  const { games, puzzles, report, strategies, totals } = results;
  const played = games.filter(({ turns }) => turns.length);
  if (!played.length) return [h("p", {}, word("nobodyPlayed"))];
  const title = h("h2", {}, word("howPlayed"));
  const all = room.round > 1 && [h("h2", {}, word("totals")), totalsTable(totals, puzzles.length > 0)];
  if (puzzles.length) return [title, sheetTable(games, puzzles.length), solutions(puzzles, rules), ...(all || [])];
  const duel = room.mode === "duel";
  const code = codeElement(played[0].secret, "s");
  return [
    !duel && h("p", { class: "secret" }, sentence(rules.letters ? "theWord" : "theCode", { code })),
    room.you && own(room.you.name, games, report),
    podium(played),
    histogram(played),
    ...(report.complete ? [firstGuesses(played, report), !duel && needed(report, strategies)] : []),
    !room.you && played.length > 1 && sideBySide(played, rules),
    !report.complete && h("p", { class: "soft small", role: "status" }, word("computing")),
    ...tables(room, [title, gamesTable(games, report, rules, duel), ...(all || [])]),
  ].filter(Boolean);
}

/** Tables; on the phone of a pupil they are opened. */
const tables = ({ you }, parts) =>
  you ? [disclosure(word("howPlayed"), parts.slice(1))] : parts;

/** How a pupil did among all, before the others. */
function own(name, games, report) {
  const mine = games.find((game) => game.name === name);
  if (!mine?.over) return h("p", { class: "own" }, word("youNotFound"));
  const above = report.costs[mine.number]?.above ?? null;
  const cost = above === null ? "" : `, ${above < 0.005 ? word("asBest") : word("moreThanBest", { n: number(above, 2, 2) })}`;
  return h("p", { class: "own" }, h("b", {}, word("youPlace", { n: placeOf(mine.turns.length, games), all: games.length })), cost);
}

/** The place of those who needed so many guesses: behind all who needed fewer. */
const placeOf = (guesses, games) => 1 + games.filter(({ over, turns }) => over && turns.length < guesses).length;

/** The three best numbers of guesses, with who needed them. */
function podium(games) {
  const solved = Map.groupBy ? Map.groupBy(games.filter(({ over }) => over), ({ turns }) => turns.length) : new Map();
  const best = [...solved].slice(0, 3);
  const step = ([guesses, those]) =>
    h("li", {}, h("b", {}, number(placeOf(guesses, games))), h("strong", {}, those.map(({ name }) => name).join(", ")), h("span", { class: "soft" }, count("inTurns", guesses)));
  return best.length ? h("ol", { class: "podium", "aria-label": word("podium") }, best.map(step)) : null;
}

/** How many needed how many guesses, and how many have not found it. */
function histogram(games) {
  const most = Math.max(...games.map(({ turns }) => turns.length));
  const bars = Array.from({ length: most }, (_, k) => [number(k + 1), games.filter(({ over, turns }) => over && turns.length === k + 1).length]);
  const rest = games.filter(({ over }) => !over).length;
  if (rest) bars.push([word("notFound"), rest]);
  const highest = Math.max(...bars.map(([, n]) => n));
  const bar = ([name, n]) => {
    const drawn = h("i");
    drawn.style.inlineSize = `${(100 * n) / highest}%`;
    return h("li", {}, h("span", {}, name), h("span", { class: "rail" }, drawn), h("b", {}, number(n)));
  };
  return h("section", { class: "near" }, h("h2", {}, word("guesses")), h("ul", { class: "bars" }, bars.map(bar)));
}

/** Two games that the class compares: the shortest and the longest, or others. */
function sideBySide(games, rules) {
  const turn = ({ guess, mark }) => h("li", { class: "row" }, codeElement(guess, "", rules.placed ? mark : ""), markElement(mark, rules));
  const column = (start) => {
    const turns = h("ol", { class: "near" });
    const choice = h("select", { "aria-label": word("name") }, games.map(({ name }, k) => h("option", { value: k, selected: k === start }, name)));
    const draw = () => turns.replaceChildren(...games[choice.value].turns.map(turn));
    choice.addEventListener("change", draw);
    draw();
    return h("div", { class: "near" }, choice, turns);
  };
  return h("section", { class: "near" }, h("h2", {}, word("sideBySide")), h("div", { class: "pair" }, column(0), column(games.length - 1)));
}

function totalsTable(totals, puzzles) {
  const mean = ({ solved, guesses }) => (solved && !puzzles ? number(guesses / solved, 2, 2) : "–");
  const row = (total) =>
    h(
      "tr",
      {},
      h("th", { scope: "row" }, total.name),
      h("td", { "data-head": word("rounds") }, number(total.played)),
      h("td", { "data-head": word("solved") }, number(total.solved)),
      puzzles ? null : h("td", { "data-head": word("meanGuesses") }, mean(total)),
    );
  const head = ["name", "rounds", "solved", ...(puzzles ? [] : ["meanGuesses"])].map((key) => word(key));
  return table(word("totals"), head, totals.map(row));
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
      h("td", {}, game.over ? number(game.turns.length) : game.turns.length ? word("notFound") : "–"),
      h("td", { "data-head": word("above") }, above(game)),
      duel && h("td", { "data-head": word("sought") }, game.secret && codeElement(game.secret, "xs"), " ", h("span", { class: "soft small" }, game.partner || "pegwise")),
      h("td", {}, h("div", { class: "played" }, game.turns.map(turn))),
      h("td", {}, game.turns.length > 0 && h("a", { class: "link", href: review(game), "aria-label": word("reviewOf", { name: game.name }) }, word("review"))),
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
