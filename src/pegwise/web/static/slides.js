// Results on a projector: a sentence and a drawing on each screen. Arrows go on, Escape ends.

import { find, h } from "./dom.js";
import { number, word } from "./words.js";

const STEPS = { ArrowRight: 1, PageDown: 1, ArrowLeft: -1, PageUp: -1, Home: -Infinity, End: Infinity };
const style = h("link", { rel: "stylesheet", href: new URL("slides.css", import.meta.url) });
document.head.append(style);
await new Promise((done) => (style.onload = style.onerror = done));

/** Show screens one after the other, each a sentence and an element that is drawn again. */
export function present(screens) {
  let at = 0;
  const [told, drawn, where] = [h("p", { class: "told" }), h("div", { class: "drawn", tabindex: 0 }), h("span", { class: "where" })];
  const go = (step) => {
    at = Math.min(Math.max(at + step, 0), screens.length - 1);
    told.textContent = screens[at][0];
    drawn.replaceChildren(screens[at][1].cloneNode(true));
    for (const bar of drawn.querySelectorAll("[data-share]")) bar.style.inlineSize = `${bar.dataset.share}%`;
    where.textContent = word("doneOf", { n: number(at + 1), all: number(screens.length) });
    for (const [name, end] of [[".back", 0], [".on", screens.length - 1]]) find(name, dialog).ariaDisabled = String(at === end);
  };
  const onkeydown = (event) => {
    if (!STEPS[event.key]) return;
    event.preventDefault();
    go(STEPS[event.key]);
  };
  const button = (name, sign, onclick) => h("button", { type: "button", class: `btn ${name}`, "aria-label": word(`${name}Slide`), onclick }, sign);
  const buttons = [button("back", "←", () => go(-1)), where, button("on", "→", () => go(1)), button("end", "×", () => dialog.close())];
  const dialog = h("dialog", { class: "slides", "aria-label": word("slides"), onkeydown, onclose: () => dialog.remove() }, h("div", { class: "screen", role: "status" }, told, drawn), h("div", { class: "row" }, buttons));
  document.body.append(dialog);
  dialog.showModal();
  go(0);
  find(screens.length > 1 ? ".on" : ".end", dialog).focus();
}
