// The buttons that share a reviewed game.

import { copy, find, share } from "./dom.js";
import { word } from "./words.js";

/** Share the line of a game with an address; its link is that of the review. */
export function listenToShare(link, address = link) {
  const line = find("#line").textContent;
  find("#share")?.addEventListener("click", () => share(line, address, word("lineCopied")));
  find("#copy-link").addEventListener("click", () => copy(link, word("linkCopied")));
  find("#copy-line").addEventListener("click", () => copy(line, word("lineCopied")));
}
