// The form that begins a race.

import { post } from "./api.js";
import { find, pageData } from "./dom.js";
import { listOwn, sends } from "./forms.js";
import { word } from "./words.js";

const { rules } = pageData();

const boxes = [...document.querySelectorAll("[type=checkbox]")];
for (const button of document.querySelectorAll(".presets button")) {
  const chosen = ({ value }) => button.dataset.names.split(" ").includes(value);
  const show = () => button.setAttribute("aria-pressed", String(boxes.every((box) => box.checked === chosen(box))));
  button.addEventListener("click", () => {
    for (const box of boxes) box.checked = chosen(box);
    find("#new").dispatchEvent(new Event("change"));
  });
  find("#new").addEventListener("change", show);
  show();
}
sends(find("#new"), async (fields) => {
  const strategies = fields.getAll("strategy").map((text) => text.trim()).filter(Boolean);
  if (!strategies.length) throw new Error(word("noneChosen"));
  const games = fields.get("games");
  const race = await post("races", {
    rules: rules.text,
    strategies,
    games: games ? +games : null,
    seed: +(fields.get("seed") || 0),
    timed: fields.get("timed") === "1",
  });
  location.href = `/race/${race.id}${find("#new").dataset.named}`;
});
sends(find("#protocol"), async (fields) => {
  const timed = fields.get("timed") === "1";
  const races = await post("races/protocols/marechal-rastoix", { games: +fields.get("games"), timed });
  location.href = `/race/protocols/marechal-rastoix?${new URLSearchParams(races.map(({ id }) => ["race", id]))}`;
});
listOwn("races", word("sureDelete"));
