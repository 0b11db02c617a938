// The clock of a game, for who has switched it on: it counts from the first peg on, while the page is seen.

import { find, store, stored } from "./dom.js";
import { duration, word } from "./words.js";

const LONGEST = 2; // seconds between two looks; more have passed where the device slept

/**
 * Count the time of a game: `seconds` tells it, null where the game began without the clock.
 * @param game the game as the server said it last
 * @param turns how many were played
 * @param name the name under which its time is stored in this tab
 * @param begun whether a peg was placed
 */
export function clockOf(game, turns, name, begun) {
  const [place, [of, before]] = [find("#clock"), JSON.parse(stored("clock", "sessionStorage") || "[]")];
  const told = turns() ? (game().seconds ?? null) : 0;
  let seconds = told !== null && of === name() && (turns() || begun()) ? Math.max(told, before) : told;
  let last = Date.now();
  function look() {
    const passed = Math.min(LONGEST, (Date.now() - last) / 1000);
    last = Date.now();
    if (seconds !== null && !game().over && !document.hidden && (turns() || begun())) {
      seconds += passed;
      store("clock", JSON.stringify([name(), seconds]), "sessionStorage");
    }
    place.textContent = seconds === null ? "" : duration(seconds);
    place.hidden = seconds === null || game().over;
  }
  const timer = setInterval(look, 250);
  look();
  if (seconds === null && !game().over) find("#working").textContent = word("timeNext");
  return {
    seconds: () => (look(), seconds),
    stop() {
      clearInterval(timer);
      place.hidden = true;
    },
  };
}
