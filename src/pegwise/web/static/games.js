// Your games: what they cost against best play, puzzles and days in a row; one file of all, or none.

import { get, post, remove } from "./api.js";
import { offerChallenge } from "./challenge_link.js";
import { LISTS, listed, note, streak } from "./days.js";
import { announce, complain, confirmed, copy, find, h, pageData, store } from "./dom.js";
import { listOwn } from "./forms.js";
import { count, number, sentence, word } from "./words.js";

const { unknown } = pageData();
const most = 30; // games that are reviewed in a visit
const puzzles = listed("puzzles");

/** Ask for what is not known yet, the newest game first, one after the other; then draw it. */
async function review() {
  for (const id of unknown.slice(0, most)) {
    if (!(await post(`games/${id}/above`).catch(() => null))) break;
  }
  if (!unknown.length) return;
  find("#chart").innerHTML = await get("above.html").catch(() => find("#chart").innerHTML);
  find("#above").hidden = !find("#chart svg");
}

const allLists = () => Object.fromEntries(LISTS.map((list) => [list, [...listed(list)]]));

/** Add to the lists of this browser those of another one. */
function noteAll(sent) {
  for (const list of LISTS) note(list, ...[sent[list] ?? []].flat().filter((item) => typeof item === "string"));
}

find("#export").addEventListener("click", async (event) => {
  event.preventDefault();
  const text = await fetch("/games.json").then((answer) => answer.json());
  const content = JSON.stringify({ ...text, ...allLists() }, null, 1);
  const href = URL.createObjectURL(new Blob([content], { type: "application/json" }));
  h("a", { href, download: "pegwise-games.json" }).click();
  URL.revokeObjectURL(href);
});

/** Take over what a file has that another browser has exported; games that were not over stay there. */
find("#import").addEventListener("change", async ({ target }) => {
  const sent = await target.files[0].text().then(JSON.parse).catch(() => null);
  target.value = ""; // the same file may be chosen again
  if (!sent?.pegwise) return complain(word("noExport"));
  const over = [...(sent.games ?? []), ...(sent.several ?? [])].filter(({ record }) => record);
  let refused = null;
  try {
    for (let first = 0; first < over.length; first += 100) {
      const games = over.slice(first, first + 100).map(({ record, begun, hints, max_guesses, seconds }) => ({ record, begun, hints, max_guesses, seconds }));
      const { problem } = await post("games/played", { games });
      refused ??= problem;
    }
  } catch (error) {
    refused = error.message;
  }
  noteAll(sent);
  if (refused) complain(refused);
  else location.reload();
});

/** Draw a code by which another device takes over what is here. */
find("#transfer").addEventListener("click", async () => {
  const drawn = await post("transfers", { lists: allLists() }).catch(({ message }) => complain(message));
  find("#drawn").innerHTML = drawn ?? "";
  await find("#drawn img")?.decode(); // which then has its height
  find(drawn ? "#drawn" : "#problem").scrollIntoView({ block: drawn ? "start" : "center" });
  find("#drawn button")?.addEventListener("click", ({ target }) => copy(target.dataset.link, word("linkCopied")));
});

/** Take over what the code in the address carries, once that is confirmed. */
async function takeOver() {
  const code = location.hash.match(/^#take=(.*)/)?.[1];
  if (code === undefined) return;
  history.replaceState(null, "", location.pathname + location.search);
  try {
    const { games, lists } = await post("transfers/take", { code, look: true });
    const told = [count("gamesOver", games), count("puzzlesSolved", lists.puzzles?.length ?? 0)];
    if (!(await confirmed(word("sureTake", { told: told.join(", ") }), word("take")))) return;
    noteAll((await post("transfers/take", { code })).lists);
    location.reload();
  } catch (error) {
    complain(error.message);
  }
}
addEventListener("hashchange", takeOver);
takeOver();

find("#remove-all").addEventListener("click", async () => {
  if (!(await confirmed(word("sureDeleteAll"), word("delete")))) return;
  try {
    await remove("games");
    for (const name of LISTS) store(name, "[]");
    location.reload();
  } catch (error) {
    complain(error.message);
  }
});

find("#own")?.addEventListener("click", ({ target }) => {
  if (target.matches(".challenge")) offerChallenge(target.closest("li").dataset.id);
});
listOwn("games", word("sureDelete"));
for (const [name, n] of Object.entries({ puzzles: puzzles.size, streak: streak() })) {
  find(`#${name}`).replaceChildren(...sentence(name, { n: h("b", {}, number(n)) }, n));
}
if (puzzles.size) {
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
