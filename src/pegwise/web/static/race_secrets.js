// What is behind a bar: its secrets, and the games of one of them side by side.

import { get } from "./api.js";
import { complain, find, h, pageData } from "./dom.js";
import { codeElement, codeWords, markElement } from "./pegs.js";
import { count, number, word } from "./words.js";

let asked = 0; // number of questions; only the last one is answered

/** Ask, and show the answer unless something else has been asked meanwhile. */
async function ask(path, show) {
  const mine = ++asked;
  complain("");
  try {
    const answer = await get(path);
    if (mine === asked) show(answer);
  } catch (problem) {
    if (mine === asked) complain(problem.message);
  }
}

/** List the secrets that a strategy found with so many guesses, of the games that are shown. */
export function showSecrets(base, { lanes, clock }, place, guesses, rules) {
  const { strategy } = lanes[place];
  ask(`${base}/secrets?${new URLSearchParams({ strategy, guesses, clock })}`, (answer) => {
    find("#picked-title").textContent = count("wonIn", guesses, { strategy: nameOf(strategy) });
    const all = count("secretsOf", answer.count);
    const shown = answer.codes.length;
    find("#picked-count").textContent =
      shown < answer.count ? word("firstOf", { shown: number(shown), n: number(answer.count) }) : all;
    const button = (code) => ({ type: "button", "aria-label": word("gamesOf", { code: codeWords(code) }), onclick: () => showGames(base, code, clock, rules) });
    find("#codes").replaceChildren(...answer.codes.map((code) => h("li", {}, h("button", button(code), codeElement(code, "xs")))));
    reveal("#picked");
  });
}

/** The games of a secret, one column a strategy. */
function showGames(base, code, clock, rules) {
  ask(`${base}/secrets/${code}?clock=${clock}`, (answer) => {
    find("#played-title").textContent = word("gamesOf", { code: codeWords(code) });
    find("#games").classList.toggle("long", rules.pegs > 4);
    find("#games").replaceChildren(...answer.games.map((game) => column(game, rules)));
    reveal("#played");
  });
}

function column({ strategy, turns }, rules) {
  const row = ({ guess, mark }, place) =>
    h("li", {}, h("span", { class: "soft small" }, number(place + 1)), codeElement(guess, rules.pegs > 5 ? "xs" : "s"), markElement(mark, rules, "s"));
  return h("section", { class: "card game" },
    h("h3", {}, nameOf(strategy)),
    h("p", { class: "soft small" }, turns ? count("inTurns", turns.length) : word("notYet")),
    h("ol", {}, (turns ?? []).map(row)),
  );
}

/** A strategy as its entrant names it. */
const nameOf = (strategy) =>
  pageData().entrants.find((entrant) => entrant.strategy === strategy)?.name ?? strategy;

function reveal(selector) {
  const place = find(selector);
  place.hidden = false;
  const title = find("h2", place);
  title.focus({ preventScroll: true });
  place.scrollIntoView({ block: "nearest" });
}
