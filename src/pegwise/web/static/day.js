// The game of the day: the page has its code and marks guesses itself, so that it goes on without the network.

import { historyText, query } from "./address.js";
import { get, post } from "./api.js";
import { dayText, note, streak } from "./days.js";
import { find, h, pageData, share, store, stored } from "./dom.js";
import { reveal } from "./editor.js";
import { beside, editor, game, play, slots } from "./game.js";
import { markOf } from "./marking.js";
import { markMonth } from "./month.js";
import { codeElement, codeWords, currentRow, letterSigns, markWords, turnRow } from "./pegs.js";
import { count, number, sentence, word } from "./words.js";

const { rules, day, named, seed, number: dayNumber, secret, words, best } = pageData();
// the game of today is that of the visitor's own day, and those of days to come wait
if (named ? day > dayText() : day !== dayText()) location.replace(`/day?rules=${rules.text}&date=${dayText()}`);
const nameOf = (seed) => `day ${rules.text} ${seed}`;
const name = nameOf(seed);
const daysList = `days ${rules.text}`;
const drawMonth = () => markMonth("daily", nameOf);
const allowed = new Set(); // words: each follows the one before it, as far as both begin alike
let before = "";
for (const rest of words.match(/[A-Z][a-z]*/g) ?? []) allowed.add((before = before.slice(0, rules.pegs - rest.length) + rest.toUpperCase()));
const own = { guesses: [], ...JSON.parse(stored(name) || "{}") };

/** The game as the server would say it. */
function state() {
  const turns = own.guesses.map((guess) => ({ guess, mark: markOf(guess, secret, rules) }));
  const won = own.guesses.at(-1) === secret;
  return { id: name, turns, won, over: won || Boolean(own.gaveUp), secret, max_guesses: null, seconds: own.seconds };
}

/** What the server answers in other games. */
function answer(what, { guess, seconds = null } = {}) {
  if (what === "turns") {
    if (allowed.size && !allowed.has(guess)) throw new Error(word("noWord", { code: guess }));
    own.begun ??= new Date().toISOString();
    own.seconds = own.guesses.length && (own.seconds ?? null) === null ? null : seconds; // each turn was told one
    own.guesses.push(guess);
  }
  if (what === "give-up") own.gaveUp = true;
  store(name, JSON.stringify(own));
  return state();
}

const outcome = () => (game.won ? count("solvedIn", game.turns.length) : word("secretWas", { code: codeWords(secret) }));

function spokenTurn() {
  const { guess, mark } = game.turns.at(-1);
  const said = word("turnSpoken", { n: game.turns.length, code: codeWords(guess), mark: markWords(mark, rules) });
  return game.over ? `${said}; ${outcome()}` : said;
}

function draw() {
  const rows = game.turns.map((turn, k) => turnRow(turn, k + 1, rules));
  if (!game.over) rows.push(currentRow(number(rows.length + 1), slots, rules));
  find("#turns").replaceChildren(...rows);
  if (rules.letters) editor.showSigns(letterSigns(game.turns));
  reveal();
  if (game.over) drawEnd();
}

function drawEnd() {
  const n = game.turns.length;
  if (game.won) {
    note("daily", name);
    if (best && n <= best) note("gold", name);
    if (day === dayText()) note(daysList, day);
  }
  drawMonth();
  const ended = game.won ? sentence("solvedIn", { n: h("b", {}, number(n)) }, n) : [word("lost")];
  find("#outcome").replaceChildren(...ended, beside());
  find("#secret").replaceChildren(...(game.won ? [] : sentence("theSecret", { code: codeElement(secret) })));
  const days = streak(daysList);
  find("#next").textContent = days && day === dayText() ? count("streak", days, { n: number(days) }) : "";
  find("#review").href = `/review?${query({ rules: rules.text, history: historyText(game.turns), secret })}`;
  find("#share").onclick = () => share(line(), new URL(`/day?rules=${rules.text}&date=${day}`, location).href, word("lineCopied"));
  keep();
}

/** What is shared: the number of the day, the guesses, a sign for each peg of a mark, and what the signs mean; no code. */
function line() {
  const { cells } = rules.marks;
  const drawn = cells.length ? [..."⬜🟨🟩"] : [..."⚫⚪"];
  const signs = cells.length ? cells.map(([sign]) => sign) : ["X", "O"];
  const rows = game.turns.map(({ mark }) => [...mark].map((sign) => drawn[signs.indexOf(sign)] ?? "–").join(""));
  const told = `${game.won ? count("solvedIn", rows.length) : word("lost")}. ${find("#needed").textContent}`;
  return [word("dayLine", { n: number(dayNumber), told }), ...rows, word("legend")].join("\n");
}

/** Store a game that is over with the others of its player, and show these; without the network another time. */
async function keep() {
  if (!own.id && game.turns.length) {
    const turns = game.turns.map(({ guess, mark }, k) => `${k + 1}. ${guess} = ${mark}`);
    const head = ["pegwise game 1", `rules: ${rules.text}`, "codemaker: random", `secret: ${secret}`, `seed: ${seed}`];
    const record = [...head, "", ...turns, "", `result: ${game.won ? "solved" : "given up"}`, ""].join("\n");
    const kept = await post("games/played", { games: [{ record, begun: own.begun, hints: false, seconds: own.seconds }] }).catch(() => null);
    if (!kept?.ids[0]) return;
    own.id = kept.ids[0];
    store(name, JSON.stringify(own));
  }
  find("#distribution").innerHTML = await get(`games/${own.id}/distribution.html`).catch(() => "");
}

drawMonth();
await play({
  guesses: () => game.turns.map(({ guess }) => guess),
  changed: () => (find("#working").textContent = ""),
  draw,
  outcome,
  spokenTurn,
  answer,
});
