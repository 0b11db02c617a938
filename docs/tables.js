// Long tables can be sorted by a click on a heading and filtered by a text; without scripts they stay as they are.
"use strict";

const LONG = 16; // rows from which a table can be sorted
const WORDS = {
  en: { filter: "Show rows with", rows: "rows" },
  fr: { filter: "Montrer les lignes avec", rows: "lignes" },
};

function compared(a, b) {
  const [x, y] = [a, b].map((text) => text.replace(/≤|,(?=\d{3}\b)/g, "").trim());
  const numeric = [x, y].every((text) => text !== "" && !Number.isNaN(Number(text)));
  return numeric ? Number(x) - Number(y) : x.localeCompare(y, undefined, { numeric: true });
}

function sortable(table, body) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, column) => {
    if (!head.textContent.trim()) return;
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    button.style.cssText = "font: inherit; color: inherit; cursor: pointer; text-align: inherit";
    head.append(button);
    button.addEventListener("click", () => {
      const up = head.ariaSort !== "ascending";
      for (const other of heads) other.ariaSort = null;
      head.ariaSort = up ? "ascending" : "descending";
      const text = (row) => row.cells[column].textContent;
      const rows = [...body.rows].sort((a, b) => compared(text(a), text(b)) * (up ? 1 : -1));
      body.append(...rows);
    });
  });
}

function filtered(table, body) {
  const words = WORDS[document.documentElement.lang] ?? WORDS.en;
  const label = document.createElement("label");
  const input = document.createElement("input");
  const count = document.createElement("output");
  input.type = "search";
  input.style.cssText = "margin: 0 0.5em; padding: 0.2em 0.4em; border: 1px solid; border-radius: 3px";
  const show = () => {
    const wanted = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const row of body.rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !wanted.every((word) => text.includes(word));
      shown += row.hidden ? 0 : 1;
    }
    count.textContent = `${shown} ${words.rows}`;
  };
  input.addEventListener("input", show);
  label.append(`${words.filter} `, input, count);
  table.before(label);
  show();
}

for (const table of document.querySelectorAll("article table")) {
  const [body] = table.tBodies;
  if (table.tHead && body && body.rows.length > LONG) {
    sortable(table, body);
    filtered(table, body);
  }
}
