// Learn: the button that prints a table.

document.querySelector("#print").addEventListener("click", () => print());
