// Play: the page is the codebreaker's board; the secret stays on the server until the end.

import { historyText, query } from "./address.js";
import { get, post, waiting } from "./api.js";
import { leftChart } from "./chart.js";
import { announce, complain, find, h, pageData, svg } from "./dom.js";
import { reveal } from "./editor.js";
import { beside, copyGuess, editor, game, play, remembers, slots, takeHint } from "./game.js";
import { codeElement, codeWords, currentRow, letterSigns, markWords, namesText, turnRow } from "./pegs.js";
import { count, number, sentence, verdict, word } from "./words.js";

const { rules, options, guided } = pageData();
const shown = guided ? 1 : 10; // rows that are drawn where the number of guesses is not limited
let expected = null; // codes expected to be left after the guess in the making
const lesson = guided && (await import("./lesson.js")); // what the marks tell
const late = new Map(); // counts that did not come with their turns, by place; null while asked for

function spokenTurn() {
  const n = game.turns.length;
  const { guess, mark, left } = game.turns.at(-1);
  const said = word("turnSpoken", { n, code: codeWords(guess), mark: markWords(mark, rules) });
  const tail = game.over ? outcome() : left === null ? "" : count("left", left);
  return tail ? `${said}; ${tail}` : said;
}

const outcome = () =>
  game.won ? count("solvedIn", game.turns.length) : word("secretWas", { code: codeWords(game.secret) });

async function hint() {
  if (lesson) return lesson.hint();
  const advice = await takeHint();
  if (advice.late) complain(word("late"));
}

function changed() {
  expected = null;
  drawAside();
  advise();
}

/** What the coach says of a whole guess, once it stands still. */
let adviceTimer;
let advised = 0; // number of questions to the coach; only the last one is answered
function advise() {
  const mine = ++advised;
  clearTimeout(adviceTimer);
  const place = find("#advice");
  if (lesson) return lesson.check(place);
  const turn = game.turns.findIndex(({ guess }) => guess === editor.text) + 1;
  const repeated = turn && !game.over ? word("repeated", { n: turn }) : "";
  const silent = !find("#coach") || game.over ? "" : word(coachOn() ? "adviceEmpty" : "coachOff");
  place.textContent = repeated || silent;
  if (repeated) return announce(repeated, find("#advised"));
  if (!coachOn() || editor.missing || game.over) return;
  adviceTimer = setTimeout(async () => {
    const guess = editor.text;
    const inTime = waiting((text) => mine === advised && (place.textContent = text));
    const body = { rules: rules.text, history: game.turns.map(({ guess, mark }) => ({ guess, mark })), guess };
    try {
      const weighed = await post("weigh", body);
      if (mine !== advised) return;
      expected = weighed.expected;
      place.replaceChildren(...advice(weighed, codeElement(guess, "xs")));
      announce(advice(weighed, codeWords(guess)).join(""), find("#advised"));
      drawAside();
      reveal();
    } catch (error) {
      // a server that does not answer is told where a turn is played, once
      if (mine === advised) place.textContent = error.status ? error.message : "";
    } finally {
      inTime();
    }
  }, 250);
}

/** Sentences on a guess, in which its code is an element or words. */
function advice(weighed, code) {
  const turns = game.turns.length;
  const fits = (weighed.candidate ? "fits" : "fitsNot") + (turns ? "" : "First");
  const parts = [...sentence(fits, { code }), " "];
  if (weighed.count === 1) return parts; // there is nothing left to tell
  parts.push(count("wouldLeave", weighed.expected));
  return [...parts, " ", verdict(weighed)];
}

const coachOn = () => find("#coach")?.getAttribute("aria-checked") === "true";

/** Ask for the counts that did not come with their turns, and show each when it is there. */
function countLate() {
  game.turns.forEach((turn, place) => {
    turn.left ??= late.get(place) ?? null;
    if (turn.left !== null || !options.hints || late.has(place)) return;
    late.set(place, null);
    get(`games/${game.id}/left?limit=0&turn=${place + 1}`).then(({ count: left }) => {
      late.set(place, left);
      game.turns[place].left = left;
      find("#turns").children[place].replaceWith(playedRow(game.turns[place], place));
      drawAside();
    }, () => {}); // too many to be counted
  });
}

function draw() {
  countLate();
  const rows = game.turns.map(playedRow);
  if (!game.over) rows.push(currentRow(number(rows.length + 1), slots, rules));
  const limit = game.max_guesses ?? Math.max(shown, game.turns.length + 1);
  for (let n = rows.length + 1; n <= limit && !game.over; n += 1) rows.push(emptyRow(n));
  find("#turns").replaceChildren(...rows);
  if (game.over) drawResult();
  if (rules.letters && rules.marks.cells.length) editor.showSigns(letterSigns(game.turns));
  drawAside();
  if (lesson) lesson.explain().catch((error) => complain(error.message));
  advise();
  reveal();
}

function playedRow(turn, place) {
  const [{ guess, left }, n] = [turn, place + 1];
  const label = word("copyTurn", { n });
  const copy = h(
    "button",
    { type: "button", class: "copy", title: label, "aria-label": label, onclick: () => copyGuess(guess) },
    svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: "M5.5 5.5V2.5h8v8h-3M2.5 5.5h8v8h-8z" })),
  );
  const won = game.won && n === game.turns.length;
  const counted = won ? [h("b", {}, word("found"))] : left === null ? [] : sentence("leftShort", { n: h("b", {}, number(left)) }, left);
  const parts = counted.map((part) => (part instanceof Element ? part : h("span", { class: "unit" }, part)));
  return turnRow(turn, n, rules, h("span", { class: "left" }, parts, game.over ? null : copy));
}

const emptyRow = (n) =>
  h(
    "li",
    { class: "turn next" },
    h("span", { class: "n" }, h("span", { class: "sr" }, word("turnEmpty", { n }))),
    h("span", { class: "code", "aria-hidden": "true" }, Array.from({ length: rules.pegs }, () => h("span"))),
  );

function drawResult() {
  const n = game.turns.length;
  const ended = game.won ? sentence("solvedIn", { n: h("b", {}, number(n)) }, n) : [word("lost")];
  find("#outcome").replaceChildren(...ended, beside());
  find("#secret").replaceChildren(...(game.won ? [] : sentence("theSecret", { code: codeElement(game.secret) })));
  const said = { rules: rules.text, history: historyText(game.turns), secret: game.secret, hints: game.hinted?.join(","), colors: namesText() };
  for (const name of ["result", "codemaker", "seed"]) {
    said[name] = game.record.match(new RegExp(`^${name}: (.*)`, "m"))?.[1];
  }
  find("#review").href = `/review?${query(said)}`;
  if (game.turns.length && game.turns.length <= 20 && !guided) tellWorth();
}

/** One's games on this board; what best play needs, and the costliest choice, once they are computed. */
async function tellWorth() {
  get(`games/${game.id}/distribution.html`).then((drawn) => (find("#distribution").innerHTML = drawn), () => {});
  const { turns: reviewed } = await post("review", { record: game.record }).catch(() => ({}));
  if (!reviewed) return; // too large to review
  const own = reviewed.filter(({ turn, above }) => above !== null && !game.hinted?.includes(turn));
  const worst = own.reduce((most, turn) => (turn.above > (most?.above ?? 0) ? turn : most), null);
  const best = reviewed[0].exact?.guesses;
  const key = worst?.unit === "guesses" ? "costliest" : "costliestBits";
  const said = [
    best ? word("bestAverages", { n: number(best, 2, 2) }) : "",
    worst && worst.above >= 0.005 ? count(key, worst.above, { turn: worst.turn, n: number(worst.above, 2, 2) }) : own.length ? word("noneBetter") : "",
  ];
  find("#worth").textContent = said.filter(Boolean).join(" ");
  find("#turns").children[worst?.turn - 1]?.classList.toggle("costliest", worst.above >= 0.005);
}

function drawAside() {
  const counted = find("#counted");
  if (!counted) return;
  const left = game.turns.length ? game.turns.at(-1).left : Number(rules.codes);
  const visible = find("#show-left").getAttribute("aria-checked") === "true" && left !== null;
  counted.hidden = !visible;
  if (!visible) return;
  find(".big", counted).hidden = game.won; // the code is found: none is left to find
  find("#left").textContent = number(left);
  find("#left").classList.toggle("long", number(left).length > 7);
  find("#left-words").textContent = count("leftNoun", left);
  const counts = [Number(rules.codes), ...game.turns.map((turn) => turn.left)];
  const chart = counts.every((n) => n > 0) ? leftChart(counts, game.over ? null : expected) : null;
  find("#chart").replaceChildren(...(chart ? [chart] : []));
  const list = find("#codes");
  list.hidden = !game.turns.length || game.over;
  find("#codes summary span").textContent = count("showCodes", left);
  if (list.open) listCodes();
  else find("#codes ul").replaceChildren();
}

async function listCodes() {
  const turns = game.turns.length;
  const { count: all, codes } = await get(`games/${game.id}/left`).catch(() => ({ codes: [] }));
  if (turns !== game.turns.length) return;
  const items = codes.map((code) => h("li", {}, codeElement(code, "xs")));
  if (all > codes.length) items.push(h("li", { class: "soft small" }, count("more", all - codes.length)));
  find("#codes ul").replaceChildren(...items);
}

remembers(find("#coach"), changed);
remembers(find("#show-left"), drawAside);
find("#codes")?.addEventListener("toggle", (event) => event.target.open && listCodes());
await play({
  guesses: () => game.turns.map(({ guess }) => guess),
  changed,
  draw,
  hint,
  outcome,
  spokenTurn,
});
