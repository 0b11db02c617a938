// Review: step through the turns, and try each again before the best guess is shown.

import { historyText, query } from "./address.js";
import { post } from "./api.js";
import { leftChart } from "./chart.js";
import { announce, find, h, pageData } from "./dom.js";
import { codeElement } from "./pegs.js";
import { listenToShare } from "./share.js";
import { count, number, sentence, verdict, word } from "./words.js";

const { rules, turns } = pageData();
let now = 0; // the turn that is shown, from 0
let asked = 0; // how often a guess was compared

const row = (turn) => find(`#turn-${turn + 1}`);

/** Show the board after a turn, what its guess was worth, and the codes left. */
function show(turn) {
  if (turn < 0 || turn >= turns.length) return;
  const { mark, before, after, codes } = turns[turn];
  row(now).classList.remove("now");
  row(turn).classList.add("now");
  [...find(".played").children].forEach((part, place) => {
    part.classList.toggle("later", place > turn);
    part.classList.toggle("now", place === turn);
  });
  const current = find(".played .now");
  find(".played").scrollTop = current.offsetTop - 2 * current.offsetHeight;
  const said = find(".word", row(turn)).textContent;
  find("#step").textContent = word("stepOf", { n: turn + 1, all: turns.length, verdict: said });
  const won = mark === rules.marks.won;
  find("#left").textContent = won ? word("found") : count("left", after);
  const rest = after - codes.length;
  find("#codes").replaceChildren(
    ...(won ? [] : codes.map((code) => codeElement(code, "xs"))),
    ...(codes.length && rest > 0 ? [count("more", rest)] : []),
  );
  find("#back").disabled = turn === 0;
  find("#next").disabled = turn === turns.length - 1;
  find("#from").href = `/decode?${query({ rules: rules.text, history: historyText(turns.slice(0, turn)) })}`;
  find("#trial").hidden = before === 1;
  if (turn !== now) find("#trial").reset();
  find("#result").replaceChildren();
  asked += 1;
  now = turn;
  tell();
}

/** What the guess was worth; the best one only where it is shown. */
function tell() {
  const said = row(now).nextElementSibling.firstElementChild;
  find("#told").replaceChildren(...[...said.childNodes].map((part) => part.cloneNode(true)));
  find("#show").hidden = !find(".answer[hidden]", said);
}

function step(by) {
  show(now + by);
  announce(`${find("#step").textContent}. ${find("#left").textContent}`);
}

if (turns.length) {
  find("#steps").hidden = false;
  find(".review").classList.add("stepped");
  const again = turns.findIndex((_, turn) => location.hash === `#try-${turn + 1}`);
  show(Math.max(0, again));
  if (again >= 0) find("#steps").scrollIntoView();
}
const counts = turns.length ? [turns[0].before, ...turns.map(({ mark, after }) => (mark === rules.marks.won ? 1 : after))] : [];
const chart = counts.every((n) => n > 0) ? leftChart(counts) : null;
if (chart) find("#chart").append(chart);
for (const peg of document.querySelectorAll(".choose .peg")) {
  peg.addEventListener("click", () => {
    const { guess } = find("#trial");
    guess.value = (guess.value.length < rules.pegs ? guess.value : "") + peg.dataset.c;
  });
}
find("#back").addEventListener("click", () => step(-1));
find("#next").addEventListener("click", () => step(1));
document.addEventListener("keydown", (event) => {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  const busy = event.altKey || event.ctrlKey || event.metaKey || event.target.closest("input");
  if (by && !busy && turns.length) step(by);
});
for (const button of document.querySelectorAll(".try")) {
  button.addEventListener("click", () => {
    show(Number(button.dataset.turn) - 1);
    find("#trial").guess.focus();
  });
}

find("#show").addEventListener("click", () => {
  const said = row(now).nextElementSibling;
  for (const part of [row(now), said]) find(".answer", part).hidden = false;
  find(".try", row(now))?.remove();
  tell();
  find("#told").focus(); // what had it is gone, and this tells the guess
});

find("#trial").addEventListener("submit", async (event) => {
  event.preventDefault();
  const mine = ++asked;
  const guess = event.target.guess.value.trim();
  const history = turns.slice(0, now).map(({ guess, mark }) => ({ guess, mark }));
  let said;
  try {
    const tried = await post("weigh", { rules: rules.text, history, guess });
    const code = codeElement(tried.guess, "xs");
    const values = { code, bits: number(tried.bits, 2, 2), codes: count("codes", tried.expected) };
    said = [...sentence("trial", values), " ", verdict(tried)];
  } catch (error) {
    said = [h("span", { class: "warn" }, error.message)];
  }
  if (mine === asked) find("#result").replaceChildren(...said);
});

listenToShare(location.href);
