// Play: the page is the codebreaker's board; the secret stays on the server until the end.

import { historyText, query } from "./address.js";
import { get, post, waiting } from "./api.js";
import { leftChart } from "./chart.js";
import { announce, complain, confirmed, find, h, pageData, share, store, stored, svg } from "./dom.js";
import { boardEditor, oneAtATime, reveal } from "./editor.js";
import { codeElement, codeWords, currentRow, letterSigns, markWords, turnRow } from "./pegs.js";
import { drawGrid, firstMisfit, markOf, markTold, stepItem } from "./steps.js";
import { count, number, sentence, verdict, word } from "./words.js";

const { rules, options, game: begun, challenge, guided } = pageData();
const shown = guided ? 1 : 10; // rows that are drawn where the number of guesses is not limited
let game = { turns: [], over: false, won: false, max_guesses: options.max_guesses };
let expected = null; // codes expected to be left after the guess in the making
let lesson = { turns: [] }; // what the marks tell, in a guided game
const late = new Map(); // counts that did not come with their turns, by place; null while asked for

const [slots, editor] = boardEditor(rules, word("yourGuess"), changed);
const alone = oneAtATime(editor, find("#working"), failed, () => {
  find("#working").textContent = "";
  drawButtons();
});

/** Show the game as it stands: it went on elsewhere, in another tab for example. */
async function failed({ status }) {
  if (status !== 409 || !game.id) return;
  game = await get(`games/${game.id}`).catch(() => game);
  draw();
}

/** The id of the game, which begins with the first question about it. */
async function gameId() {
  if (!game.id) {
    game = await (challenge ? post(`challenges/${challenge}`) : post("games", { rules: rules.text, ...options }));
    const address = new URL(location.href);
    address.searchParams.set("game", game.id);
    history.replaceState(null, "", address);
    find("#offer")?.remove();
  }
  return game.id;
}

function submit() {
  if (game.over) return;
  if (editor.missing) {
    find("#advice").textContent = count("missing", editor.missing);
    announce(count("missing", editor.missing));
    return;
  }
  alone(async () => {
    const id = await gameId();
    const guess = editor.text;
    game = await post(`games/${id}/turns`, { guess, turn: game.turns.length + 1 });
    const turn = game.turns.at(-1);
    editor.clear();
    draw();
    announce(spokenTurn(turn));
    if (game.over) find("#again").focus();
    else editor.select(0, true);
  });
}

function spokenTurn({ guess, mark, left }) {
  const n = game.turns.length;
  const said = word("turnSpoken", { n, code: codeWords(guess), mark: markWords(mark, rules) });
  const tail = game.over ? outcome() : left === null ? "" : count("left", left);
  return tail ? `${said}; ${tail}` : said;
}

const outcome = () =>
  game.won ? count("solvedIn", game.turns.length) : word("secretWas", { code: codeWords(game.secret) });

function hint() {
  if (game.over) return;
  alone(async () => {
    if (guided) {
      if (lesson.turns.length !== game.turns.length || !lesson.fits) await explain();
      editor.set(lesson.fits);
      find("#advice").textContent = lesson.why;
      return announce(`${word("hintSpoken", { code: codeWords(lesson.fits) })} ${lesson.why}`);
    }
    const advice = await post(`games/${await gameId()}/hint`);
    game.hinted = [...new Set([...(game.hinted ?? []), game.turns.length + 1])];
    editor.set(advice.guess);
    if (advice.late) complain(word("fits"));
    announce(word("hintSpoken", { code: codeWords(advice.guess) }));
  });
}

function copyRow(guess) {
  if (editor.held) return;
  editor.set(guess);
  announce(word("copied", { code: codeWords(guess) }));
}

function copyLast() {
  if (game.turns.length) copyRow(game.turns.at(-1).guess);
}

async function giveUp() {
  const words = { question: word("sureGiveUp"), yes: word("giveUp"), no: word("playOn") };
  if (!(await confirmed(words))) return;
  alone(async () => {
    game = await post(`games/${await gameId()}/give-up`);
    draw();
    announce(outcome());
    find("#again").focus();
  });
}

/** The guess in the making changed; it is stored, so that the page may be loaded again. */
function changed() {
  expected = null;
  store("guess", JSON.stringify([turnName(), editor.code]), "sessionStorage");
  drawButtons();
  drawAside();
  advise();
}

const turnName = () => `${game.id ?? rules.text} ${game.turns.length}`;

/** Take up the guess that was in the making in this turn. */
function restore() {
  const [name, code] = JSON.parse(stored("guess", "sessionStorage") || "[]");
  if (name === turnName() && !game.over) editor.set(code);
}

/** What the coach says of a whole guess, once it stands still. */
let adviceTimer;
let advised = 0; // number of questions to the coach; only the last one is answered
function advise() {
  const mine = ++advised;
  clearTimeout(adviceTimer);
  const place = find("#advice");
  if (guided) return check(place);
  const turn = game.turns.findIndex(({ guess }) => guess === editor.text) + 1;
  const repeated = turn && !game.over ? `${word("repeated", { n: turn })} ` : "";
  const silent = !find("#coach") || game.over ? "" : word(coachOn() ? "adviceEmpty" : "coachOff");
  place.textContent = repeated || silent;
  if (repeated) announce(repeated, find("#advised"));
  if (!coachOn() || editor.missing || game.over) return;
  adviceTimer = setTimeout(async () => {
    const guess = editor.text;
    const inTime = waiting((text) => mine === advised && (place.textContent = repeated + text));
    const body = { rules: rules.text, history: game.turns.map(({ guess, mark }) => ({ guess, mark })), guess };
    try {
      const weighed = await post("weigh", body);
      if (mine !== advised) return;
      expected = weighed.expected;
      place.replaceChildren(repeated, ...advice(weighed, codeElement(guess, "xs")));
      announce([repeated, ...advice(weighed, codeWords(guess))].join(""), find("#advised"));
      drawAside();
      reveal();
    } catch (error) {
      // a server that does not answer is told where a turn is played, once
      if (mine === advised) place.textContent = repeated + (error.status ? error.message : "");
    } finally {
      inTime();
    }
  }, 250);
}

/** In a guided game: whether a whole guess fits all turns, or which it does not fit. */
function check(place) {
  const whole = !editor.missing && !game.over;
  const at = whole ? firstMisfit(game.turns, editor.text, rules) : -1;
  document.querySelectorAll("#turns .turn").forEach((row, k) => row.classList.toggle("misfit", k === at));
  const code = codeWords(editor.text);
  const mark = at < 0 ? "" : markWords(markOf(game.turns[at].guess, editor.text, rules), rules);
  const said = at < 0 ? word("fitsAll", { code }) : word("misfits", { code, n: at + 1, mark });
  place.textContent = whole && game.turns.length ? said : "";
  if (place.textContent) announce(said, find("#advised"));
}

/** In a guided game: ask what the marks tell, and show it. */
async function explain() {
  const turns = game.turns.map(({ guess, mark }) => ({ guess, mark }));
  const told = await post("explain", { rules: rules.text, turns });
  if (turns.length !== game.turns.length) return;
  lesson = told;
  const last = turns.length && !game.over ? lesson.turns.at(-1) : [];
  const item = (step) => stepItem(step, () => showStep(step));
  find("#lesson").hidden = game.over;
  find("#tells").hidden = !turns.length;
  find("#tells").textContent = lesson.marks.at(-1) ?? "";
  find("#steps").replaceChildren(...last.map(item));
  find("#next").textContent = word(!turns.length ? "begin" : last.length ? "goOn" : "tellsNothing");
  const before = lesson.turns.slice(0, game.over ? turns.length : -1).flat();
  find("#earlier").hidden = !before.length;
  find("#earlier ol").replaceChildren(...before.map(item));
  showStep(last.at(-1));
  if (!game.over) announce([lesson.marks.at(-1) ?? word("begin"), ...last.map(({ text }) => text)].join(" "), find("#advised"));
}

/** Mark the pegs that a step speaks of, and show what is possible after it. */
function showStep(step) {
  const steps = lesson.turns.flat();
  const shown = step ? steps.slice(0, steps.indexOf(step) + 1) : steps;
  for (const button of document.querySelectorAll(".hints button")) {
    button.setAttribute("aria-pressed", String(button.textContent === step?.text));
  }
  markTold([...document.querySelectorAll("#turns .turn")].slice(0, game.turns.length), step);
  drawGrid(find("#grid"), rules, game.turns, shown, step);
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
  find("#tray").hidden = game.over;
  find("#result").hidden = !game.over;
  if (game.over) drawResult();
  if (rules.letters && rules.placed) editor.showSigns(letterSigns(game.turns));
  drawButtons();
  drawAside();
  if (guided) explain().catch((error) => complain(error.message));
  advise();
  reveal();
}

function playedRow(turn, place) {
  const [{ guess, left }, n] = [turn, place + 1];
  const label = word("copyTurn", { n });
  const copy = h(
    "button",
    { type: "button", class: "copy", title: label, "aria-label": label, onclick: () => copyRow(guess) },
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

function drawButtons() {
  find("#submit").setAttribute("aria-disabled", String(editor.missing > 0 || game.over));
  find("#undo").disabled = editor.missing === rules.pegs;
  find("#hint").disabled = !options.hints || game.over;
  find("#give-up").hidden = game.over || !game.turns.length;
}

function drawResult() {
  const hints = game.hinted?.length ?? 0;
  const byHints = hints ? `, ${count("byHints", hints)}` : "";
  find("#outcome").textContent = (game.won ? count("solvedIn", game.turns.length) : word("lost")) + byHints;
  find("#secret").replaceChildren(...(game.won ? [] : sentence("theSecret", { code: codeElement(game.secret) })));
  const said = { rules: rules.text, history: historyText(game.turns), secret: game.secret, hints: hints ? game.hinted.join(",") : "" };
  for (const name of ["result", "codemaker", "seed"]) {
    said[name] = game.record.match(new RegExp(`^${name}: (.*)`, "m"))?.[1];
  }
  find("#review").href = `/review?${query(said)}`;
  if (game.challenge && find("#compare")) {
    find("#compare").hidden = false;
    find("#compare").href = `/challenge/${game.challenge}`;
  }
  document.title = `${find("#outcome").textContent} · pegwise`;
  if (game.turns.length && game.turns.length <= 20 && !guided) tellWorth();
}

/** What best play needs, the costliest choice, and the line to share, once they are computed. */
async function tellWorth() {
  const turns = game.turns.map(({ guess, mark }) => ({ guess, mark }));
  const { turns: reviewed, line } = await post("review", { rules: rules.text, turns, secret: game.secret }).catch(() => ({}));
  if (!reviewed) return; // too large to review
  find("#share").hidden = false;
  find("#share").onclick = () => share(line, location.origin, word("lineCopied"));
  const own = reviewed.filter(({ turn, above }) => above !== null && !game.hinted?.includes(turn));
  const worst = own.reduce((most, turn) => (turn.above > (most?.above ?? 0) ? turn : most), null);
  const best = reviewed[0].exact?.guesses;
  const key = worst?.unit === "guesses" ? "costliest" : "costliestBits";
  const said = [
    best ? word("bestAverages", { n: number(best, 2, 2) }) : "",
    worst && worst.above >= 0.005 ? count(key, worst.above, { turn: worst.turn, n: number(worst.above, 2, 2) }) : own.length ? word("noneBetter") : "",
  ];
  find("#worth").textContent = said.filter(Boolean).join(" ");
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

function flip(button) {
  const on = button.getAttribute("aria-checked") !== "true";
  button.setAttribute("aria-checked", String(on));
  store(button.id, on ? "" : "off");
}

find("#submit").addEventListener("click", submit);
find("#undo").addEventListener("click", () => {
  editor.undo();
  if (find("#undo").disabled) editor.select(editor.at, true);
});
find("#hint").addEventListener("click", hint);
find("#give-up").addEventListener("click", giveUp);
find("#challenge")?.addEventListener("click", async () => (await import("./challenge_link.js")).offerChallenge(game.id));
for (const button of document.querySelectorAll(".switch")) {
  if (stored(button.id) === "off") flip(button);
  button.addEventListener("click", () => {
    flip(button);
    if (button.id === "coach") changed();
    else drawAside();
  });
}
find("#codes")?.addEventListener("toggle", (event) => event.target.open && listCodes());
editor.listen(find("#board"), {
  Enter: submit,
  ArrowUp: copyLast,
  ".": hint,
  "?": () => find("#help").showPopover(),
});

draw();
if (begun) {
  await alone(async () => {
    game = await get(`games/${begun}`);
    draw();
  });
}
restore();
if (!location.hash && !game.over) editor.slots[0].focus({ preventScroll: true });
