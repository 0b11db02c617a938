// Your games: what they cost against best play, puzzles and days in a row; one file of all, or none.

import { get, post, remove } from "./api.js";
import { offerChallenge } from "./challenge_link.js";
import { listed, streak } from "./days.js";
import { announce, complain, confirmed, find, h, pageData, store, svg } from "./dom.js";
import { listOwn } from "./forms.js";
import { count, number, sentence, word } from "./words.js";

const { games } = pageData();
const most = 30; // games that are reviewed in a visit
const [puzzles, days] = [[...listed("puzzles")], [...listed("days")]];

/** A dot for what each game cost, the oldest first; the line is the mean of the last ten. */
function chart(costs) {
  const [width, top, base] = [440, 34, 152];
  const most = Math.max(0.5, ...costs);
  const x = (game) => 8 + (game * (width - 16)) / Math.max(1, costs.length - 1);
  const y = (cost) => base - ((base - top) * cost) / most;
  const line = costs.map((_, game) => `${x(game)},${y(mean(costs.slice(Math.max(0, game - 9), game + 1)))}`);
  const said = costs.map((cost) => number(cost, 2)).join("; ");
  return svg(
    "svg",
    { class: "chart", viewBox: `0 0 ${width} 176`, role: "img", "aria-label": word("aboveChart", { costs: said }) },
    svg("path", { class: "base", d: `M0 ${base}H${width}M0 ${top}H${width}` }),
    svg("polyline", { class: "line", points: line.join(" ") }),
    costs.map((cost, game) => svg("circle", { cx: x(game), cy: y(cost), r: 5 })),
    svg("text", { x: 0, y: top - 13 }, number(most, 1)),
    svg("text", { x: 0, y: 172 }, word("bestPlay")),
  );
}

const mean = (costs) => costs.reduce((sum, cost) => sum + cost, 0) / costs.length;

function drawAbove() {
  const costs = games.map(({ above }) => above).filter((above) => above !== null);
  if (!costs.length) return;
  find("#above").hidden = false;
  find("#chart").replaceChildren(chart(costs));
  find("#mean").textContent = count("meanAbove", costs.length, { mean: number(mean(costs), 2, 2) });
}

/** Ask for what is not known yet, the newest game first, one after the other. */
async function review() {
  for (const game of games.filter(({ above }) => above === null).slice(-most).reverse()) {
    const answer = await post(`games/${game.id}/above`).catch(() => null);
    if (!answer) return;
    game.above = answer.above;
    if (answer.above === null) games.splice(games.indexOf(game), 1); // not known exactly
    drawAbove();
  }
}

find("#export").addEventListener("click", async (event) => {
  event.preventDefault();
  const text = await fetch("/games.json").then((answer) => answer.json());
  const content = JSON.stringify({ ...text, puzzles, days }, null, 1);
  const href = URL.createObjectURL(new Blob([content], { type: "application/json" }));
  h("a", { href, download: "pegwise-games.json" }).click();
  URL.revokeObjectURL(href);
});

find("#remove-all").addEventListener("click", async () => {
  if (!(await confirmed(word("sureDeleteAll"), word("delete")))) return;
  try {
    await remove("games");
    for (const name of ["puzzles", "days", "gold", "levels"]) store(name, "[]");
    location.reload();
  } catch (error) {
    complain(error.message);
  }
});

find("#own")?.addEventListener("click", ({ target }) => {
  if (target.matches(".challenge")) offerChallenge(target.closest("li").dataset.id);
});
listOwn("games", word("sureDelete"));
for (const [name, n] of Object.entries({ puzzles: puzzles.length, streak: streak() })) {
  find(`#${name}`).replaceChildren(...sentence(name, { n: h("b", {}, number(n)) }, n));
}
drawAbove();
await review();
const lost = games.length < 5 ? null : await get("losses").catch(() => null);
if (lost) {
  const values = { turn: number(lost.turn), n: number(lost.cost, 2, 2) };
  find("#losses span").textContent = count(lost.unfit ? "lostUnfit" : "lostFit", lost.cost, values);
  find("#losses a").href = lost.address;
  find("#losses").hidden = false;
  announce(find("#losses span").textContent);
}
