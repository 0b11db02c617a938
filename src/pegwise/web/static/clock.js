// The clock of a game, for who has switched it on: it counts from the first peg on, while the page is seen.

import { find, store, stored } from "./dom.js";
import { duration } from "./game.js";
import { word } from "./words.js";

const LONGEST = 2; // seconds between two looks; more have passed where the device slept

/** Count the time of a game, stored in this tab under its name: `seconds` tells it, null where it began without the clock. */
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
