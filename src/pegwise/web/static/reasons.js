// Why a strategy proposes a guess: loaded where it is asked.

import { h } from "./dom.js";
import { codeElement } from "./pegs.js";
import { number, word } from "./words.js";

/** Why the strategy proposes its guess, in its own words, and what it compared. */
export function* reasons({ reason, named, criterion, table, rows }) {
  yield h("p", {}, named && !criterion && !reason.includes(named) ? `${reason} (${named})` : reason);
  if (table) yield weighedTable(table);
  if (!criterion) return;
  const heads = ["guess", "bits", "parts", "largest", "canBe"].map((key) => word(key));
  const cells = (row) => [codeElement(row.guess, "xs"), number(row.bits, 2, 2), number(row.parts), number(row.largest), word(row.candidate ? "yes" : "no")];
  yield dataTable(heads, rows.map(cells), "num");
}

/** What a strategy compared: a row does not repeat, at its beginning, what the row above says. */
function weighedTable({ heads, rows }) {
  const from = rows.map((row, k) => row.findIndex((text, column) => text !== rows[k - 1]?.[column]));
  const table = dataTable(heads, rows.map((row, k) => row.map((text, column) => (column < from[k] ? "" : text))));
  table.classList.add("weighed");
  from.forEach((column, k) => table.tBodies[0].rows[k].classList.toggle("more", column > 0));
  return table;
}

/** A table of texts and elements; columns after the first one are of a class. */
function dataTable(heads, rows, kind = null) {
  const cells = (row, tag) => h("tr", {}, row.map((cell, k) => h(tag, { scope: tag === "th" && "col", class: k ? kind : null }, cell)));
  return h("table", { class: "data small" }, h("thead", {}, cells(heads, "th")), h("tbody", {}, rows.map((row) => cells(row, "td"))));
}
