// A guess that is typed as a whole, where codes are texts of several lengths.

import { h } from "./dom.js";
import { word } from "./words.js";

/** As `GuessEditor`. */
export class TextEditor {
  constructor(rules, slots, palette, onchange) {
    Object.assign(this, { rules, onchange, at: 0, whole: false, held: null });
    this.field = h("input", { class: "whole", autocomplete: "off", autocapitalize: "off", spellcheck: "false", "aria-label": word("yourGuess") ?? "", size: Math.min(30, rules.pegs + 2) });
    this.field.addEventListener("input", () => {
      this.whole = false;
      onchange();
    });
    this.slots = [this.field];
    slots.replaceChildren(this.field);
    palette.replaceChildren();
    palette.hidden = true;
  }

  get text() {
    return this.field.value.trim();
  }

  get code() {
    return [...this.text];
  }

  /** All is missing or nothing. */
  get missing() {
    return this.text ? 0 : this.rules.pegs;
  }

  set(text) {
    this.field.value = [...text].join("");
    this.onchange();
  }

  clear() {
    this.set("");
  }

  undo() {
    this.clear();
  }

  propose(text) {
    this.set(text);
    this.whole = true;
  }

  renew() {
    this.whole = true;
  }

  select(_place, focus = false) {
    if (focus) this.field.focus();
  }

  hold() {
    this.held = [];
    this.field.readOnly = true;
  }

  free() {
    this.held = null;
    this.field.readOnly = false;
  }

  showSigns() {}

  listen(_root, keys) {
    this.field.addEventListener("keydown", (event) => {
      const act = { Enter: keys.Enter, ArrowUp: keys.ArrowUp }[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    });
  }
}
