// Review: try a turn again before the best guess is shown.

import { post } from "./api.js";
import { announce, find, h, pageData } from "./dom.js";
import { codeElement } from "./pegs.js";
import { count, number, sentence, verdict, word } from "./words.js";

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
  find("td", row.nextElementSibling).focus(); // what had it is gone, and this tells the guess
}

const weighed = new Map(); // how often each form was sent

/** What another guess could have told. */
async function weigh(form, turn) {
  const mine = (weighed.get(form) ?? 0) + 1;
  weighed.set(form, mine);
  const place = find(".result", form);
  const guess = form.guess.value.trim();
  try {
    const before = history.slice(0, turn - 1);
    const tried = await post("weigh", { rules: rules.text, history: before, guess });
    if (mine === weighed.get(form)) place.replaceChildren(...trial(tried));
  } catch (error) {
    if (mine === weighed.get(form)) place.replaceChildren(h("span", { class: "warn" }, error.message));
  }
}

function trial(tried) {
  const code = codeElement(tried.guess, "xs");
  const codes = count("codes", tried.expected);
  return [...sentence("trial", { code, bits: number(tried.bits, 2, 2), codes }), " ", verdict(tried)];
}

find("#copy-link").addEventListener("click", async () => {
  await navigator.clipboard.writeText(location.href);
  announce(word("linkCopied"));
});
