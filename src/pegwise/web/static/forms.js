// Forms that a script sends, and lists of what is one's own.

import { remove } from "./api.js";
import { announce, complain, confirmed, find } from "./dom.js";
import { word } from "./words.js";

/** Let a script send a form: `task` gets its fields; the button waits, unless the task fails. */
export function sends(form, task) {
  const button = find(".btn.go", form) ?? find("button", form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    complain("");
    try {
      await task(new FormData(form));
    } catch (problem) {
      complain(problem.message);
      button.disabled = false;
      if (document.activeElement === document.body) button.focus(); // it was lost while it waited
    }
  });
  addEventListener("pageshow", () => (button.disabled = false));
}

/** Let the list of one's own games or races delete them, once that is confirmed. */
export function listOwn(path, question) {
  find("#own")?.addEventListener("click", async ({ target }) => {
    if (!target.matches("button:not(.challenge)")) return;
    if (!(await confirmed(question, word("delete")))) return;
    const row = target.closest("li");
    const ids = row.dataset.ids?.split(" ") ?? [row.dataset.id]; // several where races are one
    try {
      for (const id of ids) {
        await remove(`${path}/${id}`);
        find(`.offer a[href$="${id}"]`)?.closest(".offer").remove();
      }
      row.remove();
      announce(word("deleted"));
    } catch (error) {
      complain(error.message);
    }
  });
}
