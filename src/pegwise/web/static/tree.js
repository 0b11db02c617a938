// A tree, opened branch by branch; each branch is asked for when it is first opened.

import { setInAddress } from "./address.js";
import { get } from "./api.js";
import { announce, complain, copy, find, h, pageData } from "./dom.js";
import { codeElement, codeWords, markElement, namesText } from "./pegs.js";
import { count, word } from "./words.js";

const { rules, tree, largest, path: start } = pageData();
const place = find("#tree");
// rows are grids of their own, so that their columns are told how wide a mark and a code are
place.parentElement.style.setProperty("--marked", `${rules.marks.cells.length ? 18 * rules.pegs : 14 * Math.ceil(rules.pegs / 2) + 6}px`);
place.parentElement.style.setProperty("--guess", `min(${26 * rules.pegs + 2}px, 45vw)`);

/** How many codes are in each part of a position, against the largest of the first guess. */
function drawBars(position) {
  for (const bar of position.querySelectorAll(".bar")) {
    bar.style.setProperty("--v", Math.max(0.004, bar.dataset.n / largest).toFixed(4));
  }
}

async function toggled(branch) {
  const shown = branch.open ? branch : branch.parentElement.closest("details");
  setInAddress("path", shown?.dataset.path); // at once: another one may be opened before this one is there
  if (branch.open) await load(branch);
}

/** Ask for a branch, once. */
async function load(branch) {
  branch.loading ??= (async () => {
    const kids = find(".kids", branch);
    kids.replaceChildren(h("p", { class: "soft small" }, word("loading")));
    const query = new URLSearchParams({ path: branch.dataset.path, colors: namesText() });
    kids.innerHTML = await get(`trees/${tree}/position.html?${query}`);
    drawBars(kids);
  })();
  try {
    await branch.loading;
  } catch (problem) {
    branch.loading = null;
    branch.open = false;
    complain(problem.message);
  }
}

/** Open all branches that lead to a path; the last of them. */
async function open(path) {
  let branch = null;
  let above = place;
  let so = "";
  for (const step of path.split("/").filter(Boolean)) {
    so = so ? `${so}/${step}` : step;
    const next = [...above.querySelectorAll("details")].find((one) => one.dataset.path === so);
    if (!next) break;
    branch = next;
    branch.open = true;
    await load(branch);
    above = branch;
  }
  branch?.querySelector("summary").focus();
  branch?.scrollIntoView({ block: "nearest" });
  return branch;
}

let searched = 0;
find("#search").addEventListener("submit", async (event) => {
  const mine = ++searched;
  event.preventDefault();
  complain("");
  const place = find("#found");
  place.hidden = true;
  try {
    const secret = new FormData(event.target).get("secret").trim();
    const game = await get(`trees/${tree}/find?${new URLSearchParams({ secret, colors: namesText() })}`);
    if (mine !== searched) return; // another secret was asked for
    await open(game.path);
    if (mine !== searched) return;
    const turns = game.turns.map(({ guess, mark }) =>
      h("span", { class: "g" }, codeElement(guess, "xs"), markElement(mark, rules, "s")));
    const said = count("foundIn", game.turns.length, { code: codeWords(game.secret) });
    place.replaceChildren(h("span", {}, said), ...turns);
    place.hidden = false;
    announce(said);
  } catch (problem) {
    if (mine === searched) complain(problem.message);
  }
});

find("#link").addEventListener("click", () => copy(location.href, word("linkCopied")));

// arrows as in a list of folders: up and down move, right opens, left closes
place.addEventListener("keydown", (event) => {
  const summary = event.target.closest("summary");
  if (!summary) return;
  const branch = summary.parentElement;
  const all = [...place.querySelectorAll("summary")].filter((one) => one.checkVisibility());
  const move = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (move) all[all.indexOf(summary) + move]?.focus();
  else if (event.key === "ArrowRight") branch.open = true;
  else if (event.key === "ArrowLeft" && branch.open) branch.open = false;
  else if (event.key === "ArrowLeft") branch.parentElement.closest("details")?.querySelector("summary").focus();
  else return;
  event.preventDefault();
});

place.addEventListener("toggle", ({ target }) => toggled(target), true); // it does not bubble
drawBars(place);
if (start) open(start);
