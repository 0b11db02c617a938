// A race as it goes on: entrants, bars, the game being played; pause, stop and speed; the report.
//
// Pause and speed are of this page alone. Until one of them is used, the page shows the race at its
// own pace, as all others do.

import { get, post } from "./api.js";
import { announce, complain, find, h, pageData } from "./dom.js";
import { follow } from "./live.js";
import { codeElement, markElement } from "./pegs.js";
import { showChart } from "./race_chart.js";
import { showSecrets } from "./race_secrets.js";
import { count, milliseconds, number, word } from "./words.js";

const { rules, race: first, own } = pageData();
const base = `races/${first.id}`;
const items = [...document.querySelectorAll("#entrants > li")];
const stored = `race ${first.id}`;
/**
 * The pace of this page: what the clock said at a moment, and how much it counts in a second (0 for
 * all that is computed). Null for the pace of the race.
 */
let pace = JSON.parse(sessionStorage.getItem(stored));
let race = first; // as it is shown; what is over may not be at the pace of this page
if (pace && race.state === "over") race = { ...first, state: "running" };
let finished = false; // whether the end is shown

/** What the server is asked to show; null for nothing, while the race is paused. */
function query() {
  if (!pace) return "";
  if (pace.paused) return null;
  if (!pace.speed) return "?speed=0";
  const clock = pace.clock + (pace.speed * Math.max(0, Date.now() - pace.at)) / 1000;
  return `?clock=${clock}&speed=${pace.speed}`;
}

/** Whether nothing more can come. */
const ended = (view = race) => view.state === "over" || view.state === "stopped";

/** What a race is about: seconds of a game by the clock, else guesses of a game; null at first. */
const rate = (entrant) => (!entrant.games ? null : race.timed ? entrant.seconds / entrant.games : entrant.mean);

/** Who stands before whom: those that find more codes, then those with the smaller rate. */
const before = (one, other) => one.lost - other.lost || (rate(one) ?? Infinity) - (rate(other) ?? Infinity) || 0;

/** The entrant that stands first so far, once there are two; -1 before. */
function leader() {
  const rated = race.lanes.filter((entrant) => rate(entrant) !== null && entrant.state !== "failed");
  if (rated.length < 2) return -1;
  return rated.reduce((best, entrant) => (before(entrant, best) < 0 ? entrant : best)).place;
}

function show(next) {
  if (ended() && !ended(next)) return; // what was asked before the end came after it
  const last = race;
  race = next;
  const steering = find(".controls").contains(document.activeElement);
  const ahead = leader();
  const worst = Math.max(1, ...race.lanes.map((entrant) => entrant.histogram.length));
  race.lanes.forEach((entrant) => showEntrant(entrant, ahead === entrant.place, worst));
  if (race.timed) {
    const seconds = Math.max(...race.lanes.map((entrant) => entrant.seconds));
    find("#clock").textContent = word("seconds", { n: number(seconds, 1, 1) });
  }
  find("#pause").textContent = word(pace?.paused ? "resume" : "pause");
  find("#pause").hidden = ended();
  find("#stop").hidden = ended() || !own;
  find("#again").hidden = !ended();
  for (const button of document.querySelectorAll("#speeds button")) {
    button.setAttribute("aria-pressed", String(+button.dataset.speed === (pace ?? race).speed));
  }
  find("#speeds").parentElement.hidden = race.timed || ended();
  if (steering && ended() && !ended(last)) find("#again").focus(); // its button is hidden
  if (ended() && !finished) finish(last !== race);
}

function showEntrant(entrant, leads, worst) {
  const item = items[entrant.place];
  const share = race.length ? entrant.games / race.length : 0;
  item.classList.toggle("lead", leads);
  find(".state", item).textContent = stateWords(entrant, leads);
  const track = find(".track", item);
  track.style.setProperty("--v", `${(share * 100).toFixed(2)}%`);
  track.setAttribute("aria-valuenow", entrant.games);
  track.setAttribute("aria-valuetext", word("doneOf", { n: number(entrant.games), all: number(race.length) }));
  find(".done", item).textContent = number(entrant.games - entrant.lost);
  find(".mean", item).textContent = entrant.mean === null ? "–" : number(entrant.mean, 3, 3);
  find(".worst", item).textContent = !race.timed ? (entrant.worst ?? "–") : entrant.games ? milliseconds(rate(entrant)) : "–";
  showBars(find(".dist", item), entrant, worst);
  const problem = find(".wrong", item);
  problem.textContent = entrant.problem ?? "";
  problem.hidden = !entrant.problem;
  const losses = find(".lost", item); // not on boards too large for them
  if (losses) losses.hidden = entrant.state !== "done" || (race.games === null && entrant.lost > 0);
  showGame(find(".live", item), entrant);
}

function stateWords(entrant, leads) {
  if (leads && !["failed", "stopped"].includes(entrant.state)) {
    return word(entrant.state !== "done" || !ended() ? "leading" : race.timed ? "fastest" : "first");
  }
  if (pace?.paused && ["waiting", "running"].includes(entrant.state)) return word("paused");
  const computing = entrant.state === "running" && !entrant.games && !entrant.computed;
  return word(computing ? "computing" : entrant.state);
}

/** Bars that stay the same elements while they grow, so that the focus stays on them. */
function showBars(place, entrant, worst) {
  const most = Math.max(1, ...entrant.histogram);
  find("#entrants").style.setProperty("--n", worst);
  while (place.children.length < worst) {
    const guesses = place.children.length + 1;
    const pick = () => showSecrets(base, race, entrant.place, guesses);
    place.append(h("button", { type: "button", tabindex: -1, onclick: pick, onkeydown: moveInRow }, h("i"), h("span", {}, number(guesses))));
  }
  [...place.children].forEach((bar, index) => {
    const won = entrant.histogram[index] ?? 0;
    bar.disabled = !won;
    bar.style.setProperty("--v", (won / most).toFixed(3));
    const strategy = find("h2", items[entrant.place]).textContent;
    bar.title = count("bar", won, { strategy, guesses: number(index + 1) });
    bar.setAttribute("aria-label", bar.title);
  });
  if (!find("[tabindex='0']", place)) find(":enabled", place)?.setAttribute("tabindex", 0);
}

/** Arrows move among the bars of a row, which are one stop for Tab. */
function moveInRow(event) {
  const bars = [...event.target.parentElement.querySelectorAll(":enabled")];
  const next = bars[bars.indexOf(event.target) + ({ ArrowLeft: -1, ArrowRight: 1 }[event.key] ?? bars.length)];
  if (!next) return;
  event.preventDefault();
  [event.target.tabIndex, next.tabIndex] = [-1, 0];
  next.focus();
}

function showGame(place, entrant) {
  const game = entrant.game;
  place.hidden = !game || ended();
  if (place.hidden) return;
  const key = JSON.stringify(game);
  if (place.dataset.key === key) return;
  place.dataset.key = key;
  const turn = ({ guess, mark }) =>
    h("span", { class: "g" }, codeElement(guess, "xs"), markElement(mark, rules, "s"));
  place.replaceChildren(
    h("span", { class: "g" }, h("span", { class: "soft small" }, word("secret")), codeElement(game.secret, "xs")),
    ...game.turns.map(turn),
  );
}

/** At the finish the rows slide into their order. */
function arrange(slides) {
  const [tops, focused] = [items.map((item) => item.offsetTop), document.activeElement];
  const inOrder = [...race.lanes].sort(before);
  find("#entrants").append(...inOrder.map(({ place }) => items[place]));
  focused.focus({ preventScroll: true }); // what moves loses the focus
  if (!slides || matchMedia("(prefers-reduced-motion: reduce)").matches) return;
  items.forEach((item, k) => item.animate({ translate: [`0 ${tops[k] - item.offsetTop}px`, "0 0"] }, { duration: 900, easing: "ease-in-out" }));
}

/** Show the final table, and say what it says of the best. */
async function finish(spoken) {
  finished = true;
  arrange(spoken);
  const computed = race.lanes.some((entrant) => entrant.computed);
  try {
    if (computed) {
      find("#final").innerHTML = await get(`${base}/table.html`);
      const best = find("#best").dataset.places.split(" ").filter(Boolean);
      for (const place of best) {
        items[place].classList.add("lead");
        find(".state", items[place]).textContent = word(best.length > 1 && race.games ? "amongBest" : "first");
      }
      complain("");
      find("#report").hidden = false;
      find("#present").onclick = async () => (await import("./race_slides.js")).showSlides(race, items, before);
      showChart(base);
    }
    if (spoken) announce(`${word("ended")} ${computed ? find("#best").textContent : ""}`);
  } catch (problem) {
    complain(problem.message);
    if (![404, 409].includes(problem.status)) setTimeout(finish, 3000, spoken); // the server was busy
  }
}

/** Go on from what is shown at another pace, also when the page is loaded again. */
function steer(change) {
  const { speed } = pace ?? race;
  pace = { clock: race.clock, at: Date.now(), speed, paused: false, ...change };
  sessionStorage.setItem(stored, JSON.stringify(pace));
  show(race);
  listen();
}

find("#pause").addEventListener("click", () => {
  const paused = !pace?.paused;
  steer({ paused });
  announce(word(paused ? "pausedSpoken" : "goesOn"));
});
find("#stop").addEventListener("click", async () => {
  complain("");
  try {
    await post(`${base}/stop`);
    steer({ speed: 0 });
  } catch (problem) {
    complain(problem.message);
  }
});
find("#speeds").addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button) steer({ speed: +button.dataset.speed });
});

if (!pace || ended()) show(race);
else if (pace.paused) get(`${base}?clock=${pace.clock}`).then(show, (problem) => complain(problem.message));
const listen = ended() ? null : follow(base, show, ended, query);
