// A tree, opened branch by branch; each branch is asked for when it is first opened.

import { get } from "./api.js";
import { announce, complain, copy, find, h, pageData } from "./dom.js";
import { codeElement, codeWords, markElement, markWords } from "./pegs.js";
import { count, number, word } from "./words.js";

const { rules, tree, position: root, path: start } = pageData();
const place = find("#tree");
const largest = root.largest;
// rows are grids of their own, so that their columns are told how wide a mark and a code are
place.parentElement.style.setProperty("--marked", `${rules.placed ? 18 * rules.pegs : 14 * Math.ceil(rules.pegs / 2) + 6}px`);
place.parentElement.style.setProperty("--guess", `min(${26 * rules.pegs + 2}px, 45vw)`);

/** The parts of a position as rows; `path` leads to it. */
function parts(position) {
  return position.parts.map((part) => h("div", { role: "listitem" }, row(position, part)));
}

function row(position, part) {
  const step = `${position.guess}:${part.mark}`;
  const path = position.path ? `${position.path}/${step}` : step;
  const bar = h("span", { class: "bar" });
  bar.style.setProperty("--v", Math.max(0.004, part.count / largest).toFixed(4));
  const [mark, codes] = [markWords(part.mark, rules), count("codes", part.count)];
  const said = part.solved
    ? word("end", { mark, codes })
    : word("open", { mark, codes, code: codeWords(part.guess) });
  const cells = [
    markElement(part.mark, rules, "s", false),
    h("span", { class: "say" }, rules.placed ? "" : mark), // squares say more
    bar,
    h("b", { class: "num" }, number(part.count)),
    part.solved ? h("span", { class: "soft small" }, word("solved")) : codeElement(part.guess, "xs"),
  ];
  // a row is told as a sentence, not cell by cell
  for (const cell of cells) cell.setAttribute("aria-hidden", "true");
  cells.unshift(h("span", { class: "sr" }, said));
  // what follows a single code is the code itself
  if (part.solved || part.leaf) return h("div", { class: "part leaf" }, h("i", {}), cells);
  const kids = h("div", { class: "kids" });
  const branch = h("details", { "data-path": path }, h("summary", { class: "part" }, h("i", { class: "chev" }), cells), kids);
  branch.addEventListener("toggle", () => toggled(branch));
  return branch;
}

async function toggled(branch) {
  if (branch.open) {
    remember(branch.dataset.path); // at once: another one may be opened before this one is there
    await load(branch);
  } else {
    const above = branch.parentElement.closest("details");
    remember(above?.dataset.path ?? "");
  }
}

/** Ask for a branch, once. */
async function load(branch) {
  branch.loading ??= (async () => {
    const kids = find(".kids", branch);
    kids.replaceChildren(h("p", { class: "soft small" }, word("loading")));
    const query = new URLSearchParams({ path: branch.dataset.path });
    const position = await get(`trees/${tree}/position?${query}`);
    kids.replaceChildren(facts(position), h("div", { role: "list" }, ...parts(position)));
  })();
  try {
    await branch.loading;
  } catch (problem) {
    branch.loading = null;
    branch.open = false;
    complain(problem.message);
  }
}

/** A position in a line: its turn, what is still to come, and how far from the best that is. */
function facts(position) {
  const said = [
    word("turnN", { n: number(position.depth) }),
    word("turnsMean", { n: number(position.mean, 2, 2) }),
    word("atMost", { n: number(position.worst) }),
  ];
  if (position.excess !== null) said.push(position.excess ? count("excess", position.excess) : word("best"));
  return h("p", { class: "facts soft small" }, said.join(" · "));
}

/** Keep the open branch in the address. */
function remember(path) {
  const address = new URL(location.href);
  if (path) address.searchParams.set("path", path);
  else address.searchParams.delete("path");
  history.replaceState(null, "", address);
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
    const game = await get(`trees/${tree}/find?${new URLSearchParams({ secret })}`);
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

place.replaceChildren(...parts(root));
if (start) open(start);
