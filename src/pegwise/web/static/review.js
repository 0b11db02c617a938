// Review: try a turn again before the best guess is shown.

import { post } from "./api.js";
import { announce, find, h, pageData } from "./dom.js";
import { codeElement } from "./pegs.js";
import { count, number, sentence, word } from "./words.js";

const { rules, history } = pageData();

for (const button of document.querySelectorAll(".try")) {
  const form = find(`#try-${button.dataset.turn}`);
  button.addEventListener("click", () => {
    form.hidden = !form.hidden;
    button.setAttribute("aria-expanded", String(!form.hidden));
    if (!form.hidden) form.guess.focus();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    weigh(form, Number(form.dataset.turn));
  });
  find(".show", form).addEventListener("click", () => show(button, form));
}

/** Show the best guess of a turn. */
function show(button, form) {
  const row = button.closest("tr");
  for (const answer of [row, row.nextElementSibling].map((part) => find(".answer", part))) {
    answer.hidden = false;
  }
  button.remove();
  form.remove();
  const best = find(".code", row.nextElementSibling);
  announce(word("bestIs", { code: best.getAttribute("aria-label") }));
}

/** What another guess could have told. */
async function weigh(form, turn) {
  const place = find(".result", form);
  const guess = form.guess.value.trim();
  try {
    const before = history.slice(0, turn - 1);
    const [mine, played] = await Promise.all(
      [guess, history[turn - 1].guess].map((code) =>
        post("weigh", { rules: rules.text, history: before, guess: code }),
      ),
    );
    place.replaceChildren(...verdict(mine, played));
  } catch (error) {
    place.replaceChildren(h("span", { class: "warn" }, error.message));
  }
}

function verdict(mine, played) {
  const code = codeElement(mine.guess, "xs");
  const told = sentence("trial", { code, bits: number(mine.bits, 2, 2), left: count("codes", mine.expected) });
  const more = mine.bits - played.bits;
  const compared =
    Math.abs(more) < 0.005
      ? word("asMuch")
      : word(more > 0 ? "moreThan" : "lessThan", { bits: number(Math.abs(more), 2, 2) });
  const best = mine.best && mine.best.bits - mine.bits < 0.005 ? word("noneBetter") : word("anotherBetter");
  return [...told, " ", compared, " ", mine.best ? best : ""];
}

find("#copy-link").addEventListener("click", async () => {
  await navigator.clipboard.writeText(location.href);
  announce(word("linkCopied"));
});
