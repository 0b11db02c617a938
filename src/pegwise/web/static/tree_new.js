// The form that has a tree built.

import { post } from "./api.js";
import { complain, find, pageData } from "./dom.js";

const { rules } = pageData();
const form = find("#new");

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const button = find(".btn.go", form);
  button.disabled = true;
  complain("");
  try {
    const strategy = new FormData(form).get("strategy");
    const tree = await post("trees", { rules: rules.text, strategy });
    location.href = `/tree/${tree.id}`;
  } catch (problem) {
    complain(problem.message);
    button.disabled = false;
    if (document.activeElement === document.body) button.focus(); // it was lost while it waited
  }
});
addEventListener("pageshow", () => (find(".btn.go", form).disabled = false));
