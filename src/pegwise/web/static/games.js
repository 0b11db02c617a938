// Your games: what they cost against best play, puzzles and days in a row; one file of all, or none.

import { get, listOwn, offerChallenge, post, remove } from "./api.js";
import { aboveChart } from "./chart.js";
import { complain, confirmed, find, h, pageData, store, stored } from "./dom.js";
import { count, number, sentence, word } from "./words.js";

const { games, today } = pageData();
const most = 30; // games that are reviewed in a visit
const puzzles = JSON.parse(stored("puzzles") || "[]");
const days = JSON.parse(stored("days") || "[]");

/** Days in a row up to today, or yesterday where today's puzzle is not solved yet. */
function streak() {
  const solved = new Set(days);
  const day = new Date(today);
  const back = () => day.setUTCDate(day.getUTCDate() - 1);
  const has = () => solved.has(day.toISOString().slice(0, 10));
  if (!has()) back();
  let length = 0;
  for (; has(); back()) length += 1;
  return length;
}

function drawAbove() {
  const costs = games.map(({ above }) => above).filter((above) => above !== null);
  if (!costs.length) return;
  find("#above").hidden = false;
  const said = word("aboveChart", { costs: costs.map((cost) => number(cost, 2)).join("; ") });
  find("#chart").replaceChildren(aboveChart(costs, said, word("bestPlay")));
  const mean = costs.reduce((sum, above) => sum + above, 0) / costs.length;
  find("#mean").textContent = count("meanAbove", costs.length, { mean: number(mean, 2, 2) });
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
  const words = { question: word("sureDeleteAll"), yes: word("delete"), no: word("cancel") };
  if (!(await confirmed(words))) return;
  try {
    await remove("games");
    for (const name of ["puzzles", "days"]) store(name, "[]");
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
