// Play as by hand: pegs are dragged, pressed long, or tapped in an old row; notes on pegs and colors; a sound.

import { announce, beep, find, store, stored } from "./dom.js";
import { remembers } from "./game.js";
import { word } from "./words.js";

const LONG = 450; // milliseconds of a long press
const FAR = 8; // pixels from which a press is a drag
const KEEPS = "#palette .peg, #palette .hole, .slot";

/** What a press is on: a slot, a color of the palette, or a peg of an old row with its place. */
function pressed(target) {
  const at = target.closest?.(`${KEEPS}, .turn:not(.now) .code > .peg`);
  if (!at) return null;
  const letter = at.dataset.c ?? "";
  if (at.closest("#palette")) return { at, letter, from: null };
  const place = [...at.parentNode.children].indexOf(at);
  return { at, letter, place, from: at.matches(".slot") ? place : null };
}

const slotAt = (x, y) => document.elementFromPoint(x, y)?.closest(".slot");

/**
 * Let an editor be used as by hand.
 * @param open whether the game goes on
 * @param game the name under which its notes are stored; empty before it begins
 */
export function byHand(editor, open, game) {
  let press = null; // the peg that is pressed: where, its timer, its copy that follows the finger
  let done = false; // whether the press was a drag or long: the click after it is none
  const button = find("#notes");
  let [fixed, struck] = [new Set(), new Set()]; // places whose pegs stay for the next guess; colors that are struck out

  const flip = (notes, one) => (notes.delete(one) || notes.add(one), draw(), notes.has(one));
  const plain = editor.draw.bind(editor);
  const draw = (editor.draw = () => {
    plain();
    editor.slots.forEach((slot, place) => {
      if (!slot.classList.toggle("fixed", fixed.has(place) && Boolean(editor.code[place]))) return;
      slot.setAttribute("aria-label", word("isHeld", { peg: slot.getAttribute("aria-label") }));
    });
    for (const [letter, key] of editor.keys) {
      const out = key.classList.toggle("struck", struck.has(letter));
      if (key.dataset.c) key.setAttribute("aria-label", out ? word("isStruck", { peg: editor.name(letter) }) : editor.name(letter));
    }
  });

  /** Fill the row with a color but for held pegs; where no color may come twice, place it. */
  function fill(letter) {
    if (editor.rules.distinct) return editor.place(letter);
    editor.set(editor.code.map((own, place) => (fixed.has(place) && own ? own : letter)));
  }

  /** Put a color, "" for none, into a slot; from another slot the two change places. */
  function put(letter, place, from) {
    if (from !== null) editor.code[from] = editor.code[place];
    editor.code[place] = "";
    [editor.at, editor.whole] = [place, false];
    if (letter) editor.place(letter);
    else editor.step(place, place);
  }

  const noting = () => button.getAttribute("aria-pressed") === "true";
  const keep = () => game() && store("notes", JSON.stringify([game(), [...fixed], [...struck]]));

  function note({ letter, from }) {
    if (from === null && letter) announce(word(flip(struck, letter) ? "struckOut" : "allowed", { peg: editor.name(letter) }));
    else if (from !== null && letter) announce(word(flip(fixed, from) ? "pegHeld" : "pegFree", { n: from + 1 }));
    else return;
    keep();
  }

  function longPress() {
    const { from, letter } = press;
    done = true;
    feel();
    if (from === null) fill(letter);
    else note(press);
  }

  function move({ clientX, clientY }) {
    if (!press?.ghost) {
      if (!press || Math.hypot(clientX - press.x, clientY - press.y) < FAR) return;
      clearTimeout(press.timer);
      if (!press.letter || done) return;
      done = true;
      press.ghost = press.at.cloneNode(true);
      press.ghost.className = "peg drag";
      press.ghost.setAttribute("aria-hidden", "true");
      document.body.append(press.ghost);
    }
    press.ghost.style.translate = `${clientX}px ${clientY}px`;
  }

  function drop({ clientX, clientY }) {
    if (!press) return;
    const { ghost, timer, letter, from } = press;
    clearTimeout(timer);
    press = null;
    if (!ghost) return;
    ghost.remove();
    const slot = slotAt(clientX, clientY);
    if (slot) put(letter, editor.slots.indexOf(slot), from);
    else if (from !== null) put("", from, null);
    feel();
  }

  const area = find("#game");
  area.addEventListener("pointerdown", (event) => {
    done = false;
    const on = event.button === 0 && open() && !editor.held && pressed(event.target);
    if (!on || (event.pointerType !== "mouse" && !on.at.matches(KEEPS))) return; // rows are scrolled by a finger
    event.target.releasePointerCapture?.(event.pointerId);
    const timer = on.letter && on.at.matches(KEEPS) ? setTimeout(longPress, LONG) : 0;
    press = { ...on, x: event.clientX, y: event.clientY, timer };
  });
  addEventListener("pointermove", move);
  addEventListener("pointerup", drop);
  addEventListener("pointercancel", () => {
    clearTimeout(press?.timer);
    press?.ghost?.remove();
    press = null;
  });
  area.addEventListener("contextmenu", (event) => done && event.preventDefault());
  area.addEventListener("dragstart", (event) => event.preventDefault());
  area.addEventListener("click", (event) => {
    const on = open() && pressed(event.target);
    if (done || (on && on.at.matches(KEEPS) && noting())) {
      event.stopPropagation();
      event.preventDefault();
      editor.clicked = event.target.closest("button"); // where Enter submits, as after other clicks
      if (!done) note(on);
      done = false;
    } else if (on?.from === null && on.place !== undefined && on.letter) {
      editor.select(on.place);
      editor.place(on.letter);
    }
    if (on) feel();
  }, true);
  button.addEventListener("click", () => {
    button.setAttribute("aria-pressed", String(!noting()));
    area.classList.toggle("noting", noting());
    announce(word(noting() ? "notesOn" : "notesOff"));
  });
  const [of, ...notes] = JSON.parse(stored("notes") || "[]");
  if (of && of === game()) [fixed, struck] = notes.map((those) => new Set(those));
  draw();
  const focused = () => pressed(document.activeElement) ?? pressed(editor.slots[editor.at]);
  return {
    keep,
    keys: {
      "!": () => note({ ...pressed(editor.slots[editor.at]) }),
      "/": () => note({ ...focused(), from: null }),
      "=": () => focused().letter && fill(focused().letter),
    },
    /** Begin the next guess: held pegs stay. */
    next: () => editor.set(editor.code.map((letter, place) => (fixed.has(place) ? letter : ""))),
  };
}

/** A touch and a sound, for who has asked for them. */
function feel() {
  if (stored("feel") !== "on") return;
  navigator.vibrate?.(12);
  beep(520, 0.04, 0.06);
}

remembers(find("#feel"), feel);
