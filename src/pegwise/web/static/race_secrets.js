// What is behind a bar: its secrets, and the games of one of them side by side, as the server draws them.

import { get } from "./api.js";
import { complain, find } from "./dom.js";
import { namesText } from "./pegs.js";

let asked = 0; // number of questions; only the last one is answered

/** Ask, and show the answer unless something else has been asked meanwhile. */
async function show(place, path) {
  const mine = ++asked;
  complain("");
  try {
    const drawn = await get(path);
    if (mine !== asked) return;
    place.innerHTML = drawn;
    place.hidden = false;
    find("h2", place).focus({ preventScroll: true });
    place.scrollIntoView({ block: "nearest" });
  } catch (problem) {
    if (mine === asked) complain(problem.message);
  }
}

/** List the secrets that a strategy found with this number of guesses, of the games that are shown. */
export async function showSecrets(base, { lanes, clock }, place, guesses) {
  const { strategy } = lanes[place];
  await show(find("#picked"), `${base}/secrets.html?${new URLSearchParams({ strategy, guesses, clock, colors: namesText() })}`);
  for (const button of document.querySelectorAll("#codes button")) {
    button.onclick = () => show(find("#played"), `${base}/secrets/${button.dataset.code}/games.html?${new URLSearchParams({ clock, colors: namesText() })}`);
  }
}
