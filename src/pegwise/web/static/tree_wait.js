// How far the building of a tree is; the tree is opened once it stands.

import { get } from "./api.js";
import { complain, find, pageData } from "./dom.js";
import { number, word } from "./words.js";

const { status } = pageData();

async function look() {
  try {
    const { state, done, total, problem } = await get(`trees/${status.id}`);
    find("#progress").value = done;
    find("#percent").textContent = word("percent", { n: number((100 * done) / total) });
    complain(problem ?? ""); // that the server did not answer is over
    if (state === "done") location.reload();
    else if (state !== "failed") setTimeout(look, 500);
  } catch (problem) {
    complain(problem.message);
    setTimeout(look, 2000);
  }
}

look();
