// The races of a published protocol on one page: how far each is, and their figures once all ended.

import { get } from "./api.js";
import { complain, find, pageData } from "./dom.js";
import { showChart } from "./race_chart.js";
import { milliseconds, number, word } from "./words.js";

const { name, ids } = pageData();
const base = `races/protocols/${name}`;
const query = new URLSearchParams(ids.map((id) => ["race", id]));
const rows = [...document.querySelectorAll("#races tbody tr")];
const ended = (race) => race.state === "over" || race.state === "stopped";

function show(race) {
  const row = rows.find((one) => one.dataset.id === race.id);
  const done = Math.min(...race.lanes.map((entrant) => entrant.games));
  find(".state", row).textContent = word("doneOf", { n: number(done), all: number(race.length) });
  race.lanes.forEach((entrant) => {
    const each = race.timed && entrant.games ? ` · ${milliseconds(entrant.seconds / entrant.games)}` : "";
    row.children[2 + entrant.place].textContent = entrant.mean === null ? "–" : number(entrant.mean, 3, 3) + each;
  });
}

async function look() {
  try {
    const races = await Promise.all(ids.map((id) => get(`races/${id}`)));
    complain("");
    races.forEach(show);
    if (!races.every(ended)) return void setTimeout(look, 1000);
    find("#whole").href = `/api/${base}/report.html?${query}`;
    find("#report").hidden = false;
    showChart(base, query);
  } catch (problem) {
    complain(problem.message);
    if (problem.status !== 404) setTimeout(look, 2000);
  }
}

look();
