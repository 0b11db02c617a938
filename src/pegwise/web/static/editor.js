// A guess in the making: a row of slots and a palette, by mouse, touch or keyboard.

import { waiting } from "./api.js";
import { announce, complain, find, h, pageData, store, stored } from "./dom.js";
import { HOLE, colorOf, letterOf, lookOf, pegColor, signOf, signWord } from "./pegs.js";
import { word } from "./words.js";

const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** The name of a color with its letter, where the color has one. */
const colorName = (letter) => {
  const own = colorOf(letter);
  if (own) return own.name;
  const place = LETTERS.indexOf(letter);
  return place < 12 ? `${signOf(letter)}, ${word(`color${letter}`)}` : letter;
};

/** The rows of a keyboard, by language. */
const KEYBOARDS = { en: ["QWERTYUIOP", "ASDFGHJKL", "ZXCVBNM"], fr: ["AZERTYUIOP", "QSDFGHJKLM", "WXCVBN"] };

/** A letter as lists of words write it. */
function fold(letter) {
  if (letter === "ß") return "ẞ";
  return letter.toUpperCase().length === 1 ? letter.toUpperCase() : letter;
}

/** The boards of the page; keys belong to the one with the focus, else to the first. */
const boards = [];

export class GuessEditor {
  /**
   * @param rules the board as the page was sent it
   * @param slots where the slots go
   * @param palette where the colors go
   * @param onchange called after every change
   */
  constructor(rules, slots, palette, onchange) {
    this.rules = rules;
    this.onchange = onchange;
    this.code = Array(rules.pegs).fill("");
    this.at = 0;
    this.placed = [];
    this.clicked = null; // the color that was clicked last, not pressed by a key
    this.whole = false; // whether the next peg begins the guess anew, as in a selected text
    this.held = null; // what was typed while the server is asked, or null
    this.slots = this.code.map((_, place) =>
      h("button", { type: "button", onclick: () => this.select(place, true) }),
    );
    slots.replaceChildren(...this.slots);
    this.letters = [...(rules.letters ?? LETTERS.slice(0, rules.colors))];
    this.palette = palette;
    this.rename();
  }

  /** Draw the palette, again where colors are called otherwise. */
  rename() {
    const signs = [...this.letters, ...(this.rules.blank ? [HOLE] : [])];
    this.keys = new Map(signs.map((letter) => [letter, this.paletteButton(letter)]));
    this.palette.replaceChildren(...(this.rules.letters ? this.keyRows() : this.keys.values()));
    this.draw();
  }

  /** The letters of words in the rows of a keyboard; those that it lacks follow. */
  keyRows() {
    const rows = KEYBOARDS[document.documentElement.lang].map((row) => [...row]);
    const more = this.letters.filter((letter) => !rows.flat().includes(letter));
    while (more.length) rows.push(more.splice(0, 10));
    return rows.map((row) => h("div", {}, row.filter((letter) => this.keys.has(letter)).map((letter) => this.keys.get(letter))));
  }

  /** Show on each key what the marks of places tell of its letter. */
  showSigns(signs) {
    for (const [letter, key] of this.keys) {
      const sign = signs.get(letter);
      if (sign) key.dataset.m = lookOf(sign);
      else delete key.dataset.m;
      key.setAttribute("aria-label", sign ? `${letter}, ${signWord(sign)}` : letter);
    }
  }

  /** The name of a color with its letter; a letter of a word as it is. */
  name(letter) {
    return this.rules.letters ? letter : colorName(letter);
  }

  paletteButton(letter) {
    const onclick = ({ detail, currentTarget }) => {
      this.clicked = detail ? currentTarget : null;
      this.place(letter);
    };
    return letter === HOLE
      ? h("button", { type: "button", class: "hole", "aria-label": word("emptyHole"), onclick }, "·")
      : h("button", { type: "button", class: "peg", ...pegColor(letter), "aria-label": this.name(letter), onclick }, signOf(letter));
  }

  /** The guess as text; empty slots are left out. */
  get text() {
    return this.code.join("");
  }

  get missing() {
    return this.code.filter((letter) => !letter).length;
  }

  select(place, focus = false) {
    this.at = place;
    this.whole = false;
    this.draw();
    if (focus) this.slots[place].focus();
  }

  /** Put a color into the current slot and go on to the next empty one. */
  place(letter) {
    if (this.held) return this.held.push(() => this.place(letter));
    if (letter === HOLE && !this.rules.blank) return announce(word("noHoles"));
    if (this.whole) this.code.fill("");
    if (this.rules.distinct && letter !== HOLE) {
      // the color moves here from wherever it stood
      this.code = this.code.map((other) => (other === letter ? "" : other));
    }
    this.code[this.at] = letter;
    const changed = this.at;
    this.placed.push(changed);
    const after = [...this.code.keys()].map((k) => (this.at + 1 + k) % this.code.length);
    const next = after.find((k) => !this.code[k]) ?? Math.min(this.at + 1, this.code.length - 1);
    this.step(next, changed);
  }

  /** Place a color by its letter: the keyboard goes on at the slots. */
  type(letter) {
    if (!this.slots.includes(document.activeElement)) this.slots[this.at].focus();
    this.place(letter);
  }

  /** Keep what is typed from now on for later. */
  hold() {
    this.held = [];
  }

  /** Type what was kept. */
  free() {
    const held = this.held ?? [];
    this.held = null;
    for (const act of held) act();
  }

  /** Empty the current slot, or the one before where it is empty. */
  erase() {
    if (this.held) return this.held.push(() => this.erase());
    if (this.whole) return this.clear();
    const place = this.code[this.at] ? this.at : Math.max(0, this.at - 1);
    this.code[place] = "";
    this.step(place, place);
  }

  /** Take back the peg placed last. */
  undo() {
    if (this.held) return;
    let place;
    do place = this.placed.pop();
    while (place !== undefined && !this.code[place]);
    place ??= this.code.findLastIndex(Boolean);
    if (place < 0) return;
    this.code[place] = "";
    this.step(place, place);
  }

  /** Set the whole guess. */
  set(text) {
    this.code = Array.from({ length: this.rules.pegs }, (_, k) => text[k] ?? "");
    this.placed = [...this.code.keys()].filter((k) => this.code[k]);
    this.step(Math.max(0, this.code.indexOf("")));
  }

  clear() {
    this.set("");
  }

  /** Set the whole guess; what is placed next begins another one. */
  propose(text) {
    this.set(text);
    this.renew();
  }

  /** Let the next peg begin the guess anew. */
  renew() {
    this.at = 0;
    this.whole = true;
    this.draw();
  }

  /** Go on to a slot; the one that changed is said, unless the focus moves and tells enough. */
  step(place, changed = null) {
    const focused = this.slots.includes(document.activeElement);
    const told = changed === null || (focused && place !== this.at);
    this.select(place, focused);
    if (!told) announce(this.slots[changed].getAttribute("aria-label"));
    this.onchange();
  }

  draw() {
    this.slots.forEach((slot, place) => {
      const letter = this.code[place];
      const shown = letter === HOLE ? word("emptyHole") : letter ? this.name(letter) : word("empty");
      slot.className = `slot ${letter && letter !== HOLE ? "peg" : "hole"}`;
      const colors = letter && letter !== HOLE ? pegColor(letter) : { "data-c": null, "data-paint": null, "data-size": null, title: null };
      for (const [name, value] of Object.entries(colors)) {
        if (value === null) slot.removeAttribute(name);
        else slot.setAttribute(name, value);
      }
      slot.textContent = letter === HOLE ? "·" : letter && signOf(letter);
      slot.setAttribute("aria-label", word("slot", { n: place + 1, peg: shown }));
      slot.setAttribute("aria-pressed", String(place === this.at && !this.whole));
      slot.tabIndex = place === this.at ? 0 : -1; // one stop for Tab, arrows within
    });
  }

  /**
   * Keys of the board. Letters work wherever the focus is, and bring it to the slots.
   * @param root the part of the page where the other keys work
   * @param keys what else keys do: {Enter, ArrowUp, ".", "?"}
   */
  listen(root, keys) {
    boards.push(root);
    document.addEventListener("keydown", (event) => {
      const { target, key } = event;
      if ((boards.find((board) => board.contains(target)) ?? boards[0]) !== root) return;
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (target.closest("input, select, textarea, dialog, [popover]")) return;
      const onSlot = this.slots.includes(target);
      const letter = letterOf(fold(key));
      // where colors are called by digits, digits elsewhere are a mark
      const typed = this.letters.includes(letter) && (onSlot || !colorOf(letter) || !/[0-9]/.test(key));
      const board = {
        ArrowLeft: () => this.select(Math.max(0, this.at - 1), true),
        ArrowRight: () => this.select(Math.min(this.rules.pegs - 1, this.at + 1), true),
        Home: () => this.select(0, true),
        End: () => this.select(this.rules.pegs - 1, true),
        Delete: () => this.erase(),
        " ": onSlot ? () => this.place(HOLE) : null, // elsewhere Space presses a button
        ArrowUp: keys.ArrowUp,
      };
      const page = {
        Backspace: () => this.erase(),
        Enter: onSlot || target === this.clicked || target === document.body ? keys.Enter : null,
        ".": keys["."],
        "?": keys["?"],
        ...keys.notes,
      };
      const act = typed ? () => this.type(letter) : (root.contains(target) && board[key]) || page[key];
      if (!act) return;
      event.preventDefault();
      act();
    });
  }
}

// loaded where codes are typed as a whole
const { TextEditor } = pageData().rules?.typed ? await import("./text_editor.js") : {};

/** The editor that suits a game. */
export const editorOf = (rules, slots, palette, onchange) =>
  new (TextEditor ?? GuessEditor)(rules, slots, palette, onchange);

/** Scroll to the row that is filled, or to all boards, and to the tray where it stands beside them. */
export function reveal() {
  const [rows, tray] = [find("#boards") ?? find(".turn.now"), find("#tray")];
  document.documentElement.style.setProperty("--tray", `${tray.offsetHeight}px`);
  if (!rows || tray.hidden) return;
  if (getComputedStyle(tray).position !== "fixed") tray.scrollIntoView({ block: "nearest" });
  rows.scrollIntoView({ block: "nearest" });
}

/** The row in which a guess is made on the board of a page, and its editor. */
export function boardEditor(rules, label, onchange) {
  const slots = h("span", { class: "code", role: "group", "aria-label": label });
  find("#board").style.setProperty("--pegs", rules.pegs);
  find("#board").style.setProperty("--marks", Math.ceil(rules.pegs / 2));
  addEventListener("resize", reveal);
  new ResizeObserver(reveal).observe(find("#tray"));
  return [slots, editorOf(rules, slots, find("#palette"), onchange)];
}

/** Store the guess in the making of a turn, so that the page may be loaded again. */
export const storeGuess = (editor, turn) => store("guess", JSON.stringify([turn, editor.code]), "sessionStorage");

/** Take up the guess that was in the making in this turn. */
export function restoreGuess(editor, turn) {
  const [of, code] = JSON.parse(stored("guess", "sessionStorage") || "[]");
  if (of === turn && code.some(Boolean)) editor.set(code);
}

/**
 * A function that runs one task at a time, while an editor is held, and tells what goes wrong.
 * @param place where a long wait is told
 * @param failed called with an error first; true where nothing more is to be done
 * @param after called at the end
 */
export function oneAtATime(editor, place, failed, after) {
  return async (task) => {
    if (editor.held) return;
    editor.hold();
    complain("");
    const inTime = waiting((text) => (place.textContent = text));
    try {
      await task();
    } catch (error) {
      if (await failed(error)) return;
      complain(error.message);
    } finally {
      inTime();
      editor.free();
      after();
    }
  };
}
