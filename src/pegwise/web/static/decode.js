// Decode: pegwise proposes, the person marks; every mark can be changed, the guesses follow.
// The state is the address: rules, strategy, history; so Back undoes, and a link shows the same.

import { historyText, query, readHistory } from "./address.js";
import { get, post, waiting } from "./api.js";
import { announce, complain, copy, find, h, pageData, svg } from "./dom.js";
import { editorOf } from "./editor.js";
import { loadMarks, markButtons, markField } from "./marks.js";
import { codeElement, codeWords, colorOf, letterOf, letterSigns, markElement, markWords, namedCode, namesText, useNames } from "./pegs.js";
import { count, number, word } from "./words.js";

const { rules, strategies, pasted, others } = pageData();
let turns = []; // {guess, mark, ignored}
let strategy = "";
let conflict = ""; // what the server draws of marks that contradict each other
let answer = null; // what the server says of the turns
let unmarked = ""; // a guess of the address that has no mark yet
let editing = -1; // the turn whose mark is being changed
let asked = 0; // questions to the server, and the one that `answer` is for
let answered = 0;
let listed = turns; // the turns as the list of past marks shows them
const before = []; // the turns before each change, for Undo
let asTyped = true; // whether the turns are as the address, or the pasted text, has them: not read yet
const possible = new Map(); // the marks that a guess can get

const editor = editorOf(rules, find("#slots"), find("#palette"), drawGuess);

/** Whether turns of an address are in letters, as this page writes them, and not in names of colors. */
const inLetters = () => turns.every(({ guess }) => new RegExp(`^[A-${String.fromCharCode(64 + rules.colors)}.]*$`, "i").test(guess));

/** The question: guesses are in the names of colors, if there are some. */
const body = () => (asTyped && pasted ? { strategy, ...pasted } : {
  rules: rules.text,
  strategy,
  history: turns.map((turn) => ({ ...turn, guess: asTyped ? turn.guess : namedCode(turn.guess) })),
  colors: !namesText() || (asTyped && inLetters()) ? [] : namesText().split(","),
});

/** The turns as the address has them. */
function readAddress() {
  const said = new URLSearchParams(location.search);
  strategy = said.get("strategy") ?? "";
  turns = readHistory(said.get("history") ?? "");
  asTyped = true;
  unmarked = turns.at(-1)?.mark === "" ? turns.pop().guess.toUpperCase() : "";
}

const state = () => ({ rules: rules.text, strategy, history: historyText(turns), colors: namesText() });

function writeAddress() {
  history.pushState(null, "", `?${query(state())}`);
}

/** Take a new state of the turns, say what changed, and ask what follows. */
function change(next, said) {
  before.push(turns);
  return go(next, said);
}

async function go(next, said) {
  const typing = find("#typed").contains(document.activeElement);
  const own = isOwn();
  turns = next;
  editing = -1;
  editor.renew();
  writeAddress();
  await update(said);
  if (typing && own && editor.slots[0].checkVisibility()) editor.slots[0].focus(); // to type the next
  else focusNext(typing);
}

/** Where the keyboard goes on after a change, since what had the focus was drawn anew. */
function focusNext(typing) {
  const focused = document.activeElement;
  if (focused !== document.body && focused.checkVisibility() && !focused.disabled) return;
  const places = ["#conflict .btn", "#solved .btn", typing ? "#typed input" : "#marks button"];
  const visible = places.map((place) => find(place)).filter((place) => place?.checkVisibility());
  (visible[0] ?? editor.slots[0]).focus();
}

/** Ask what follows, and say it: `said` first; a page without turns that is just opened is silent. */
async function update(said = null) {
  const mine = ++asked;
  complain("");
  const inTime = waiting(wait);
  try {
    const question = body();
    const [advice] = await Promise.all([post("decode", question), loadMarks(rules)]);
    const drawn = advice.count === 0 ? await post("decode/conflict.html", question) : "";
    if (mine !== asked) return;
    [answer, conflict] = [advice, drawn];
    answered = mine;
    if (asTyped) takeReading(advice);
    if (advice.guess) possible.set(advice.guess, advice.marks);
  } catch (error) {
    if (mine !== asked) return;
    complain(error.message);
    find("#restart").hidden = Boolean(answer);
    if (answer) drawPast(); // from there it goes on
    return;
  } finally {
    inTime();
    if (mine === asked) wait("");
  }
  find("#restart").hidden = true;
  draw();
  if (said !== null || turns.length) announce([said, status()].filter(Boolean).join("; "));
}

/** Take the turns of the address as they were read, and say what was inferred of them. */
function takeReading({ read_as: told, history: read, colors, others: meanings, count: usual }) {
  asTyped = false;
  turns = read.map((turn, place) => ({ ignored: false, ...turns[place], ...turn }));
  if (told) {
    if (colors.length) {
      useNames(colors);
      editor.rename();
    }
    tell(told);
    if (!pasted) history.replaceState(null, "", `?${query(state())}`);
  }
  const links = meanings.filter(({ marks, count: n }) => n && usual && others?.[marks]).map(
    ({ words, marks, count: n }) =>
      h("a", { class: "link", href: `/decode?${others[marks]}` }, count("otherwise", n, { meaning: words })));
  find("#others").replaceChildren(...links.flatMap((link) => [link, " "]));
  find("#others").hidden = !links.length;
}

/** Say how something was read. */
function tell(text) {
  find("#told span").textContent = text;
  find("#told").hidden = !text;
}

/** Say that the answer takes a while; "" once it is there. */
function wait(text) {
  find("#asking").setAttribute("aria-busy", String(Boolean(text)));
  find("#working").textContent = text;
}

function status() {
  if (answer.won) return count("solvedIn", turns.length);
  if (answer.count === 0) return ""; // the conflict says it itself
  const next = answer.guess ? word("ask", { n: turns.length + 1 }) + " " + codeWords(answer.guess) : "";
  return [answer.count === null ? "" : count("left", answer.count), next].filter(Boolean).join("; ");
}

/** Whether the answer that is shown is about the turns that there are now. */
const current = () => answered === asked;

function mark(marked, told = "") {
  if (!current()) return;
  if (told) tell(told);
  const guess = editor.text;
  const said = word("turnSpoken", {
    n: turns.length + 1,
    code: codeWords(guess),
    mark: markWords(marked, rules),
  });
  change([...turns, { guess, mark: marked, ignored: false }], said);
}

// a second click on a past turn may come before the list is drawn anew: it would hit another turn
const outdated = () => listed !== turns;

function remark(place, marked) {
  if (outdated()) return;
  const next = turns.map((turn, k) => (k === place ? { ...turn, mark: marked, ignored: false } : turn));
  change(next, word("markChanged", { n: place + 1, mark: markWords(marked, rules) }));
}

function ignore(place) {
  if (outdated()) return;
  const next = turns.map((turn, k) => (k === place ? { ...turn, ignored: !turn.ignored } : turn));
  change(next, word(next[place].ignored ? "ignoreTurn" : "useTurn", { n: place + 1 }));
}

function remove(place) {
  if (outdated()) return;
  change(turns.filter((_, k) => k !== place), word("removeTurn", { n: place + 1 }));
}

/** Open the editor of a past mark. */
function edit(place) {
  if (outdated()) return;
  editing = place;
  drawPast();
}

function draw() {
  find("#asking").hidden = Boolean(conflict) || answer.won;
  find("#conflict").hidden = !conflict;
  find("#conflict").innerHTML = conflict;
  find("#solved").hidden = !answer.won;
  if (answer.won) drawSolved();
  else if (!conflict) drawQuestion();
  find("#left").textContent = answer.count === null ? "?" : number(answer.count);
  find("#left").classList.toggle("long", find("#left").textContent.length > 7);
  find("#left-words").textContent = answer.count === null ? word("tooMany") : count("leftNoun", answer.count);
  drawPast();
  drawReasons();
  if (rules.letters && rules.marks.cells.length) editor.showSigns(letterSigns(turns.filter((turn) => !turn.ignored)));
}

/** Propose a guess, unless another one is being composed. */
function drawQuestion() {
  const proposes = answer.guess !== null;
  find("#by").textContent = proposes ? word(answer.late ? "proposedInTime" : "proposedBy", { strategy: strategies[answer.by.split(":")[0]] ?? answer.by }) : "";
  if (unmarked) editor.set(unmarked);
  else if (editor.whole || editor.missing === rules.pegs) editor.propose(answer.guess ?? "");
  else drawGuess();
  unmarked = "";
}

/** Whether the guess of the slots is another one than the proposed one. */
const isOwn = () => editor.text !== answer?.guess;

/** What is asked about the guess of the slots, and the marks once it is whole. */
function drawGuess() {
  const own = isOwn();
  const key = own ? "askOwn" : answer.count === 1 ? "mustBe" : "ask";
  find("#question").textContent = word(key, { n: turns.length + 1 });
  find("#proposed").hidden = !own || !answer?.guess;
  drawMarks();
}

const bigCode = () => (rules.pegs <= 5 ? "l" : rules.pegs <= 8 ? "" : "s");

/** The marks, once there is a guess to mark. */
function drawMarks() {
  const guess = editor.text;
  const ready = !editor.missing;
  for (const part of document.querySelectorAll(".marking")) part.hidden = !ready;
  if (rules.letters) complain("");
  find("#typed").replaceChildren(...(ready ? [markField(rules, guess, mark)] : []));
  if (!ready) {
    delete find("#marks").dataset.guess; // an answer that is still awaited is ignored
    return find("#marks").replaceChildren();
  }
  showGrid(find("#marks"), guess, mark);
}

/** The marks that a guess can get, once the server has said which. */
async function showGrid(place, guess, onpick, options = {}) {
  place.dataset.guess = guess;
  if (!possible.has(guess)) {
    const asking = get(`marks?${query({ rules: rules.text, guess })}`);
    const [{ marks, message }] = await Promise.all([asking.catch(({ message }) => ({ marks: null, message })), loadMarks(rules)]);
    if (message && rules.letters && place.dataset.guess === guess) return refuse(message);
    possible.set(guess, marks);
  }
  if (place.dataset.guess !== guess) return;
  place.replaceChildren(markButtons(rules, onpick, { ...options, guess, marks: possible.get(guess) }));
  for (const part of options.small ? [] : [place, find("#slots")]) part.scrollIntoView({ block: "nearest" });
}

/** Say that a word is not in the list: it cannot be marked. */
function refuse(message) {
  for (const part of document.querySelectorAll(".marking")) part.hidden = true;
  complain(message);
}

function drawSolved() {
  const last = turns.at(-1);
  find("#outcome").textContent = count("solvedIn", turns.length);
  find("#code").replaceChildren(codeElement(last.guess, bigCode()));
  const counted = turns.filter((turn) => !turn.ignored);
  const said = { rules: rules.text, history: historyText(counted), colors: namesText() };
  find("#review").href = `/review?${query(said)}`;
}

function drawPast() {
  const suspect = current() && answer.suspects?.[0]?.turn;
  listed = turns;
  find("#undo").disabled = !turns.length && !before.length;
  find("#none").hidden = turns.length > 0;
  find("#past").replaceChildren(
    ...turns.map((turn, place) => pastTurn(turn, place, answer.count === 0 && suspect === place + 1)),
  );
}

const pencil = () =>
  svg("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svg("path", { d: "M2.5 13.5l.7-3.3L10.8 2.6l2.6 2.6-7.6 7.6z" }));

function pastTurn({ guess, mark: marked, ignored }, place, suspect) {
  const n = place + 1;
  const shown = markElement(marked, rules, "s", false);
  const spoken = new Set([shown.textContent, markWords(marked, rules)].filter(Boolean)); // what is seen is said too
  const label = word("changeMark", { n, mark: [...spoken].join(", ") });
  const left = current() ? answer.left[place] : null;
  const note = ignored
    ? word("ignored")
    : suspect
      ? word("checkThis")
      : current() && answer.won && n === turns.length
        ? word("found")
        : typeof left === "number"
          ? count("leftShort", left)
          : "";
  return h(
    "li",
    { class: ignored ? "ignored" : suspect ? "sus" : null },
    h("span", { class: "n small soft" }, number(n)),
    codeElement(guess, rules.pegs > 6 ? "xs" : "s"),
    h(
      "button",
      { type: "button", class: "edit", "aria-label": label, "aria-expanded": String(editing === place), onclick: () => edit(place) },
      shown,
      pencil(),
    ),
    h("span", { class: `left num small ${suspect ? "warn" : "soft"}` }, note),
    editing === place ? markEditor(turns[place], place) : null,
  );
}

function markEditor({ guess, mark: marked, ignored }, place) {
  const grid = h("div");
  const shown = showGrid(grid, guess, (next) => remark(place, next), { small: true, current: marked });
  shown.then(() => grid.querySelector("button")?.focus());
  return h(
    "div",
    { class: "editor" },
    grid,
    h(
      "div",
      { class: "row" },
      h("button", { type: "button", class: "btn s", onclick: () => ignore(place) }, word(ignored ? "useTurn" : "ignoreTurn", { n: place + 1 })),
      h("button", { type: "button", class: "btn s", onclick: () => remove(place) }, word("removeTurn", { n: place + 1 })),
      h("button", { type: "button", class: "btn s", onclick: () => close(place) }, word("close")),
    ),
  );
}

function close(place) {
  if (outdated()) return;
  editing = -1;
  drawPast();
  find("#past").querySelectorAll(".edit")[place].focus();
}

/** The best guesses by what they can tell, and the codes that fit, where they are asked for. */
async function drawReasons() {
  if (!answer) return; // it is drawn when there is one
  const mine = asked;
  const closed = answer.won || !answer.guess;
  find("#codes").hidden = answer.won || !answer.count;
  const items = (answer.codes ?? []).map((code) => h("li", {}, codeElement(code, "xs")));
  if (answer.count > items.length) {
    items.push(h("li", { class: "soft small" }, count("more", answer.count - items.length)));
  }
  find("#codes ul").replaceChildren(...items);
  drawPiece("chances", find("#shares"), answer.won || !answer.count, mine);
  drawPiece("why", find("#reasons"), closed, mine);
}

/** A piece of the page that is asked for when it is opened. */
async function drawPiece(name, box, closed, mine) {
  find(`#${name}`).hidden = closed;
  if (closed || !find(`#${name}`).open) return;
  const inTime = waiting((text) => mine === asked && (box.textContent = text));
  try {
    const drawn = await post(`decode/${name}.html`, body());
    if (mine === asked) box.innerHTML = drawn;
  } catch (error) {
    if (mine === asked) box.textContent = error.message;
  } finally {
    inTime();
  }
}

/** Take back the last change; of turns that came with the address, the last turn. */
function undo() {
  if (turns.length || before.length) go(before.pop() ?? turns.slice(0, -1), "");
}

find("#slots").classList.add(...[bigCode()].filter(Boolean));
find("#proposed").addEventListener("click", () => {
  editor.propose(answer.guess);
  focusNext(false);
});
find("#undo").addEventListener("click", undo);
find("#conflict").addEventListener("click", ({ target }) => {
  const { act, turn, mark } = target.dataset;
  if (act && current()) ({ remark, ignore, edit })[act](turn - 1, mark);
});
for (const name of ["#why", "#chances"]) find(name).addEventListener("toggle", drawReasons);
/** The strategy as it is typed: its id, and its options if there are some. */
function chooseStrategy() {
  const [id, options] = [find("#strategy").value, find("#options input").value.trim()];
  strategy = id && options ? `${id}:${options}` : id;
  showOptions();
  writeAddress();
  update();
}

/** The strategy of the address, in the form. */
function drawStrategy() {
  const [id, ...options] = strategy.split(":");
  find("#strategy").value = id;
  find("#options input").value = options.join(":");
  showOptions();
}

/** The field of the options, and what they mean, for a strategy that is named. */
async function showOptions() {
  const id = find("#strategy").value;
  find("#options").hidden = find("#declared").hidden = !id;
  if (!id || !find("#declared").open) return;
  const drawn = await get(`strategies/${encodeURIComponent(id)}/options.html`).catch(({ message }) => complain(message));
  if (id === find("#strategy").value) find("#declared > div").innerHTML = drawn ?? ""; // no other was chosen meanwhile
}

find("#strategy").addEventListener("change", () => {
  find("#options input").value = "";
  chooseStrategy();
});
find("#options input").addEventListener("change", chooseStrategy);
find("#declared").addEventListener("toggle", showOptions);
find("#copy-link").addEventListener("click", () => copy(location.href, word("linkCopied")));
editor.listen(find("#guess"), {
  Enter: () => find("#typed input")?.focus(),
  ArrowUp: () => turns.length && editor.set(turns.at(-1).guess),
  ".": () => answer?.guess && editor.propose(answer.guess),
  "?": () => find("#help").showPopover(),
});
addEventListener("keydown", ({ key, target, ctrlKey, metaKey, altKey }) => {
  const field = find("#typed input");
  if (editor.slots.includes(target) && colorOf(letterOf(key))) return; // a color that is called by a digit
  if (!/^[0-9]$/.test(key) || ctrlKey || metaKey || altKey || !field?.checkVisibility()) return;
  if (!target.closest("input, select, textarea, dialog, [popover], .editor")) field.focus(); // it gets the digit
});
addEventListener("popstate", () => {
  readAddress();
  editor.renew();
  before.length = 0;
  editing = -1;
  drawStrategy();
  update();
});

readAddress();
drawStrategy();
update();
if (find("#paste[data-open]")) find("#paste").showPopover();
