// Elements without markup in strings, and what a screen reader is told.

import { word } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";

/** An element; `onclick` and its like are listeners, false and null attributes are left out. */
export function h(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An element of a drawing. */
export function svg(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== false));
  return element;
}

/** The first element of a selector. */
export const find = (selector, root = document) => root.querySelector(selector);

/** What the page was sent with, from its JSON block. */
export const pageData = () => JSON.parse(find("#page").textContent);

/** Say something in a live region. */
export function announce(text, region = find("#status")) {
  region.textContent = "";
  // a region that changes twice at once is read once
  requestAnimationFrame(() => (region.textContent = text));
}

/** Ask before something that cannot be undone; whether it is to be done. */
export function confirmed(question, yes, no = word("cancel")) {
  const dialog = h(
    "dialog",
    { "aria-labelledby": "question" },
    h("p", { id: "question" }, question),
    h(
      "form",
      { class: "row", method: "dialog" },
      h("button", { class: "btn go", autofocus: true }, no),
      h("button", { class: "btn", value: "yes" }, yes),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  return new Promise((answer) =>
    dialog.addEventListener("close", () => {
      dialog.remove();
      answer(dialog.returnValue === "yes");
    }),
  );
}

/** Copy a text, and say so, also on the button, which Safari does not focus. In a plain local network browsers give scripts no clipboard. */
export async function copy(text, said) {
  const button = document.activeElement.closest("button") ?? document.querySelector("button:hover");
  if (navigator.clipboard) await navigator.clipboard.writeText(text);
  else {
    const area = h("textarea", { class: "sr" }, text);
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
    button?.focus();
  }
  announce(said);
  const before = button?.textContent ?? said;
  if (before === said) return;
  button.textContent = said;
  setTimeout(() => (button.textContent = before), 2000);
}

/** Share a text and an address by the device, or copy them. */
export async function share(text, url, said) {
  if (!navigator.share) return copy(`${text} ${url}`, said);
  return navigator.share({ text, url }).catch(() => {}); // who changes their mind shares nothing
}

/** What was stored under a name, in this browser or in this tab ("sessionStorage"); "" for nothing. */
export function stored(name, storage = "localStorage") {
  try {
    return window[storage].getItem(`pegwise-${name}`) ?? "";
  } catch {
    return ""; // a browser may store nothing
  }
}

/** Store a text under a name. */
export function store(name, text, storage = "localStorage") {
  try {
    window[storage].setItem(`pegwise-${name}`, text);
  } catch {
    // then it is lost with the page
  }
}

/** Show a problem, as a sentence, where the page has its place for it, and say it. */
export function complain(problem) {
  const [place, text] = [find("#problem"), problem.charAt(0).toUpperCase() + problem.slice(1)];
  if (text && !place.hidden && place.textContent === text) return; // it was said
  place.textContent = text;
  place.hidden = !text;
}

let audio = null;

/** Sound at a pitch in hertz, as loud as said, for some seconds. */
export function beep(pitch, loudness, seconds) {
  audio ??= new AudioContext();
  const [tone, loud, at] = [audio.createOscillator(), audio.createGain(), audio.currentTime];
  tone.frequency.value = pitch;
  loud.gain.setValueAtTime(loudness, at);
  loud.gain.exponentialRampToValueAtTime(0.001, at + seconds);
  tone.connect(loud).connect(audio.destination);
  tone.start();
  tone.stop(at + seconds);
}
