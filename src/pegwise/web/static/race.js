// A race as it goes on: entrants, bars, the game being played; pause, stop and speed; the report.

import { follow, get, post } from "./api.js";
import { announce, complain, find, h, pageData } from "./dom.js";
import { codeElement, markElement } from "./pegs.js";
import { showChart, showTable } from "./race_report.js";
import { showSecrets } from "./race_secrets.js";
import { count, listed, milliseconds, number, word } from "./words.js";

const { rules, race: first, entrants, own } = pageData();
const base = `races/${first.id}`;
const items = [...document.querySelectorAll("#entrants > li")];
let race = first;

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
  if (ended() && !ended(next)) return; // the answer to a button came after the end
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
  const running = race.state === "running";
  const pause = find("#pause");
  pause.textContent = word(running ? "pause" : "resume");
  pause.hidden = find("#stop").hidden = ended() || !own;
  find("#again").hidden = !ended();
  for (const button of document.querySelectorAll("#speeds button")) {
    button.setAttribute("aria-pressed", String(+button.dataset.speed === race.speed));
  }
  find("#speeds").parentElement.hidden = race.timed || ended() || !own;
  if (steering && ended() && !ended(last)) find("#again").focus(); // its button is hidden
  if (ended() && find("#report").hidden) finish(last !== race);
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
  find(".lost", item).hidden = entrant.state !== "done" || (race.games === null && entrant.lost > 0);
  showGame(find(".live", item), entrant);
}

function stateWords(entrant, leads) {
  if (leads && !["failed", "stopped"].includes(entrant.state)) {
    return word(entrant.state !== "done" || !ended() ? "leading" : race.timed ? "fastest" : "first");
  }
  const computing = entrant.state === "running" && !entrant.games && !entrant.computed;
  return word(computing ? "computing" : entrant.state);
}

/** Bars that stay the same elements while they grow, so that the focus stays on them. */
function showBars(place, entrant, worst) {
  const most = Math.max(1, ...entrant.histogram);
  place.style.setProperty("--n", worst);
  place.classList.toggle("many", worst > 12);
  while (place.children.length < worst) {
    const guesses = place.children.length + 1;
    const pick = () => showSecrets(base, race.lanes[entrant.place], entrants[entrant.place], guesses, rules);
    place.append(h("button", { type: "button", onclick: pick }, h("i"), h("span", {}, number(guesses))));
  }
  [...place.children].forEach((bar, index) => {
    const won = entrant.histogram[index] ?? 0;
    bar.disabled = !won;
    bar.style.setProperty("--v", (won / most).toFixed(3));
    const name = entrants[entrant.place].name;
    bar.title = count("bar", won, { strategy: name, guesses: number(index + 1) });
    bar.setAttribute("aria-label", bar.title);
  });
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

async function finish(spoken) {
  arrange(spoken);
  const best = race.lanes[leader()] ?? race.lanes[0];
  const tied = race.lanes.filter((entrant) => entrant.mean !== null && !before(entrant, best));
  if (spoken) {
    announce(
      race.state === "stopped" || best.mean === null
        ? word("stoppedSpoken")
        : race.timed
          ? word("endedFastest", { strategy: entrants[best.place].name, time: milliseconds(rate(best)) })
          : race.games !== null
          ? word("endedDrawn") // how sure the difference is stands in the table
          : tied.length > 1
          ? word("endedTied", { strategies: listed(tied.map((one) => entrants[one.place].name)), mean: number(best.mean, 3, 3) })
          : word("ended", { strategy: entrants[best.place].name, mean: number(best.mean, 3, 3) }),
    );
  }
  if (!race.lanes.some((entrant) => entrant.computed)) return; // there is no result
  try {
    const results = await get(`${base}/results.json`);
    showTable(results, entrants, race);
    find("#report").hidden = false;
    showChart(base);
  } catch (problem) {
    complain(problem.message);
  }
}

let acts = 0; // what buttons asked for; an answer to another act than the last is old

async function act(path, body, said) {
  const mine = ++acts;
  complain("");
  try {
    const next = await post(`${base}/${path}`, body);
    if (mine === acts) show(next);
    if (said) announce(word(said));
  } catch (problem) {
    complain(problem.message);
  }
}

find("#pause").addEventListener("click", () =>
  race.state === "running" ? act("pause", {}, "pausedSpoken") : act("resume", {}, "goesOn"),
);
find("#stop").addEventListener("click", () => act("stop", {}));
find("#speeds").addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button) act("speed", { speed: +button.dataset.speed });
});

show(first);
if (!ended()) follow(base, show, ended);
