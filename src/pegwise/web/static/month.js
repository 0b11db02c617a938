// The days of a month, which lead to what there is on each.

import { dayText, listed } from "./days.js";
import { h } from "./dom.js";
import { word } from "./words.js";

/** Mark in the month of a page the days that are in a list; in gold those that are in another list too. */
export function markMonth(list, name) {
  const [done, gold] = [listed(list), listed("gold")];
  for (const link of document.querySelectorAll(".month a[href]")) {
    const date = new URL(link.href).searchParams.get("date");
    if (date > dayText()) link.removeAttribute("href"); // where it is later already
    const key = name(Number(date.replaceAll("-", ""))); // by the seed of a day
    link.classList.toggle("today", date === dayText());
    if (!done.has(key) || link.classList.contains("solved")) continue;
    link.classList.add("solved");
    link.classList.toggle("gold", gold.has(key));
    link.append(h("span", { class: "sr" }, `, ${word(gold.has(key) ? "doneAlone" : "done")}`));
  }
}
