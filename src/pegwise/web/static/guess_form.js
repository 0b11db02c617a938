// A form in which one guess is made and judged.

import { waiting } from "./api.js";
import { find } from "./dom.js";
import { GuessEditor } from "./editor.js";
import { count } from "./words.js";

/** A form with slots and a palette; a whole guess is handed to `answer`, which says what to show. */
export function guessForm(form, rules, answer) {
  const [slots, palette, button, said] = [".code", ".palette", ".btn", ".said"].map((part) => find(part, form));
  const editor = new GuessEditor(rules, slots, palette, () => said.replaceChildren());
  let busy = false;
  form.hidden = false;
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (busy) return;
    if (editor.missing) {
      said.textContent = count("missing", editor.missing);
      return;
    }
    busy = button.disabled = true;
    const inTime = waiting((text) => (said.textContent = text));
    const shown = await answer(editor.text).catch((error) => [error.message]);
    inTime();
    said.replaceChildren(...shown);
    busy = button.disabled = false;
    editor.renew();
  });
  editor.listen(form, { Enter: () => form.requestSubmit() });
}
