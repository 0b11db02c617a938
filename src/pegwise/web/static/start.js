// The start page: a game that begins with its first guess, the race, the puzzle of the day.

import { post } from "./api.js";
import { dayText, listed, streak } from "./days.js";
import { find, h, pageData } from "./dom.js";
import { guessForm } from "./guess_form.js";
import { markCounts, markElement, markWords } from "./pegs.js";
import { count, number, word } from "./words.js";

const { rules } = pageData();

/** What a part of a mark means, where there is some. */
const means = (sign, key, n) =>
  n ? [h("dt", {}, h("span", { class: "mark k1" }, h("i", { class: sign }))), h("dd", {}, count(key, n))] : [];

/** The first guess begins a game; its mark says what marks mean. */
guessForm(find("#first"), rules, async (guess) => {
  const { id } = await post("games", { rules: rules.text });
  const { turns, won } = await post(`games/${id}/turns`, { guess, turn: 1 });
  const { mark } = turns[0];
  find("#first .palette").hidden = find("#first .btn").hidden = true;
  for (const slot of document.querySelectorAll("#first .slot")) slot.disabled = true;
  const { black, white } = markCounts(mark);
  const go = h("a", { class: "btn go", href: `/play?rules=${rules.text}&game=${id}` }, word(won ? "see" : "goOn"));
  setTimeout(() => go.focus());
  return [
    h("p", { class: "row answer" }, markElement(mark, rules), h("b", {}, markWords(mark, rules))),
    h("dl", { class: "keys" }, means("x", "blackMeans", black), means("o", "whiteMeans", white)),
    black + white ? "" : h("p", {}, word("noneMeans")),
    h("p", {}, go),
  ];
});

/** Who comes back finds the puzzle of today, and the days in a row. */
const days = streak();
if (listed("puzzles").size) find("#back").hidden = false;
find("#streak").textContent = days ? count("days", days, { n: number(days) }) : "";
if (listed("days").has(dayText())) find("#solve").textContent = word("solvedToday");
for (const link of document.querySelectorAll("[data-today]")) link.href = `${link.pathname}?${link.dataset.today}date=${dayText()}`;

/** The race: all guess at the same pace, so that whoever needs fewer guesses is ahead. */
const SECONDS = 16;
const items = [...document.querySelectorAll("#race li")];
const button = find("#run");
let lanes = null;
let end = 0; // guesses of the best for all codes
let taken = 0; // guesses so far
let before = null; // time of the frame before; null where the race stands

async function load() {
  const results = await (await fetch(find("#race").dataset.results)).json();
  lanes = Object.values(results).map((digits) => {
    let sum = 0;
    return Array.from(digits, (digit) => (sum += parseInt(digit, 36)));
  });
  end = Math.min(...lanes.map((sums) => sums.at(-1)));
}

function draw() {
  lanes.forEach((sums, place) => {
    const later = sums.findIndex((sum) => sum > taken);
    const reached = later < 0 ? sums.length : later;
    find(".bar", items[place]).setAttribute("width", reached);
    find(".reached", items[place]).textContent = number(reached);
    const all = taken >= end; // what each needs for all codes
    const mean = all ? sums.at(-1) / sums.length : sums[reached - 1] / reached;
    find(".mean", items[place]).textContent = reached ? number(mean, 2, 2) : "–";
  });
}

function step(time) {
  if (before === null) return;
  taken = Math.min(end, taken + ((time - before) / 1000) * (end / SECONDS));
  before = time;
  draw();
  if (taken < end) requestAnimationFrame(step);
  else stop();
}

function stop() {
  before = null;
  button.textContent = button.dataset.run;
}

async function run() {
  if (before !== null) return stop();
  button.textContent = button.dataset.pause;
  before = performance.now();
  if (!lanes) await load().catch(stop);
  if (!lanes || before === null) return; // the server does not answer, or it was paused meanwhile
  if (taken >= end) taken = 0;
  before = performance.now();
  requestAnimationFrame(step);
}

button.hidden = false;
button.addEventListener("click", run);
