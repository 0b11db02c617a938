// A round that is over, as the server draws it: rounds and names are chosen here.

import { query, readHistory } from "./address.js";
import { get } from "./api.js";
import { announce, complain, find, h, pageData } from "./dom.js";
import { codeElement, markElement, placesOf } from "./pegs.js";

const { rules } = pageData();

let shown = ""; // the results as they were drawn
let chosen = null; // an earlier round that was asked for, of which newest
let names = true; // whether names are shown

/** Show the results of the newest round, or of the one that was chosen; asked again, what is new. */
export async function loadResults(base, room) {
  const wanted = chosen?.of === room.round ? chosen.round : room.round;
  try {
    const drawn = await get(`${base}/results.html?round=${wanted}&names=${names}`);
    if (drawn === shown) return;
    shown = drawn;
    const place = find("#results");
    const at = [...place.querySelectorAll(".choose button")].indexOf(document.activeElement);
    place.innerHTML = drawn;
    for (const bar of place.querySelectorAll("[data-share]")) bar.style.inlineSize = `${bar.dataset.share}%`;
    for (const first of place.querySelectorAll("[data-code]")) first.prepend(codeElement(first.dataset.code, "s"));
    for (const game of place.querySelectorAll("[data-turns]")) game.append(...readHistory(game.dataset.turns).map(turn));
    for (const link of place.querySelectorAll(".games .link")) {
      const row = link.closest("tr");
      link.href += `&${query({ history: find("[data-turns]", row).dataset.turns })}`;
      link.ariaLabel = `${link.textContent} ${find("th", row).textContent}`;
    }
    for (const cell of place.querySelectorAll(".games td:nth-child(n + 3):not(:has([data-turns], .link), :last-child)")) {
      cell.dataset.head = cell.closest("table").tHead.rows[0].cells[cell.cellIndex].textContent; // on a phone
    }
    for (const column of place.querySelectorAll(".pair > div")) sideBySide(column);
    for (const button of place.querySelectorAll("[data-round]")) {
      button.addEventListener("click", () => {
        chosen = { round: Number(button.dataset.round), of: room.round };
        loadResults(base, room);
      });
    }
    find("#names")?.addEventListener("click", () => {
      names = !names;
      loadResults(base, room);
    });
    find("#present")?.addEventListener("click", async () => {
      const { present } = await import("./slides.js");
      const parts = [...place.querySelectorAll(".secret, .podium, .beside > section, .needed")];
      present(parts.map((part) => [find("h2", part)?.textContent ?? part.ariaLabel ?? "", part]));
    });
    if (room.you) announce(find(".own", place)?.textContent.trim() ?? "");
    if (at >= 0) place.querySelectorAll(".choose button")[at].focus();
  } catch (error) {
    if (error.status !== 409) complain(error.message); // else the next round has begun
  }
}

const turn = ({ guess, mark }) =>
  h("span", { class: "g" }, codeElement(guess, "xs", placesOf(mark, rules)), markElement(mark, rules, rules.marks.cells.length ? "sr" : "s"));

/** A game that the class compares with another one: its turns, larger than in the table. */
function sideBySide(column) {
  const choice = find("select", column);
  const draw = () => {
    const turns = find(`[data-of="${choice.value}"]`).cloneNode(true);
    for (const part of turns.querySelectorAll(".xs, .s")) part.classList.remove("xs", "s");
    find("ol", column).replaceChildren(...[...turns.children].map((turn) => h("li", { class: "row" }, ...turn.childNodes)));
  };
  choice.addEventListener("change", draw);
  draw();
}
