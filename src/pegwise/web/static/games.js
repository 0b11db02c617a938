// Your games: what they cost against best play, puzzles and days in a row; one file of all, or none.

import { get, post, remove } from "./api.js";
import { offerChallenge } from "./challenge_link.js";
import { listed, streak } from "./days.js";
import { announce, complain, confirmed, find, h, pageData, store } from "./dom.js";
import { listOwn } from "./forms.js";
import { count, number, sentence, word } from "./words.js";

const { unknown } = pageData();
const most = 30; // games that are reviewed in a visit
const [puzzles, days] = [[...listed("puzzles")], [...listed("days")]];

/** Ask for what is not known yet, the newest game first, one after the other; then draw it. */
async function review() {
  for (const id of unknown.slice(0, most)) {
    if (!(await post(`games/${id}/above`).catch(() => null))) break;
  }
  if (!unknown.length) return;
  find("#chart").innerHTML = await get("above.html").catch(() => find("#chart").innerHTML);
  find("#above").hidden = !find("#chart svg");
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
    for (const name of ["puzzles", "days", "gold", "levels", "hints"]) store(name, "[]");
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
if (puzzles.length) {
  find("#so-far").hidden = false;
  find("#none")?.remove();
}
await review();
const lost = await get("losses").catch(() => null);
if (lost) {
  const values = { turn: number(lost.turn), n: number(lost.cost, 2, 2) };
  find("#losses span").textContent = count(lost.unfit ? "lostUnfit" : "lostFit", lost.cost, values);
  find("#losses a").href = lost.address;
  find("#losses").hidden = false;
  announce(find("#losses span").textContent);
}
