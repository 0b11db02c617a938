// The form that begins a race.

import { listOwn, post } from "./api.js";
import { complain, find, pageData } from "./dom.js";
import { word } from "./words.js";

const { rules } = pageData();
const form = find("#new");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const fields = new FormData(form);
  const strategies = fields.getAll("strategy");
  if (!strategies.length) return complain(word("noneChosen"));
  const games = fields.get("games");
  const button = find(".btn.go", form);
  button.disabled = true;
  complain("");
  try {
    const race = await post("races", {
      rules: rules.text,
      strategies,
      games: games ? +games : null,
      seed: +(fields.get("seed") || 0),
      timed: fields.get("timed") === "1",
    });
    location.href = `/race/${race.id}`;
  } catch (problem) {
    complain(problem.message);
    button.disabled = false;
    if (document.activeElement === document.body) button.focus(); // it was lost while it waited
  }
});
find("#protocol").addEventListener("submit", async (event) => {
  event.preventDefault();
  const fields = new FormData(event.target);
  const button = find("button", event.target);
  button.disabled = true;
  complain("");
  try {
    const games = +fields.get("games");
    await post("races/protocols/marechal-rastoix", { games, timed: fields.get("timed") === "1" });
    location.href = "/race#own";
    location.reload();
  } catch (problem) {
    complain(problem.message);
    button.disabled = false;
  }
});
listOwn("races", word("sureDelete"));
addEventListener("pageshow", () => (find(".btn.go", form).disabled = false));
