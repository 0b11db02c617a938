// The start page: a game that begins with its first guess, the race, the position of the day.

import { post, waiting } from "./api.js";
import { find, h, pageData } from "./dom.js";
import { GuessEditor } from "./editor.js";
import { codeElement } from "./pegs.js";
import { count, number, sentence, verdict, word } from "./words.js";

const { rules, history } = pageData();

/** A row of slots with its palette; a whole guess is handed to `answer`, which says what to show. */
function board(form, answer) {
  const [slots, palette, button, said] = [".code", ".palette", ".btn", ".said"].map((part) => find(part, form));
  const editor = new GuessEditor(rules, slots, palette, () => {});
  let busy = false;
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (busy) return;
    if (editor.missing) {
      said.textContent = count("missing", editor.missing);
      return;
    }
    busy = button.disabled = true;
    const inTime = waiting((text) => (said.textContent = text));
    const shown = await answer(editor.text).catch((error) => [error.message]);
    inTime();
    said.replaceChildren(...shown);
    busy = button.disabled = false;
    editor.renew();
  });
  editor.listen(form, { Enter: () => form.requestSubmit() });
}

board(find("#first"), async (guess) => {
  const { id } = await post("games", { rules: rules.text });
  await post(`games/${id}/turns`, { guess, turn: 1 });
  location.assign(`/play?rules=${rules.text}&game=${id}`);
  return [word("working")];
});

board(find("#day"), async (guess) => {
  const weighed = await post("weigh", { rules: rules.text, history, guess });
  const said = [h("p", {}, weighed.above ? "" : `${word("wellPlayed")} `, verdict(weighed))];
  if (weighed.above) said.push(h("p", {}, sentence("bestGuess", { code: codeElement(weighed.answer, "s") })));
  return said;
});

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
if (matchMedia("(prefers-reduced-motion: no-preference)").matches) {
  const seen = new IntersectionObserver(([entry]) => {
    if (!entry.isIntersecting) return;
    seen.disconnect();
    run();
  });
  seen.observe(find("#race"));
}
