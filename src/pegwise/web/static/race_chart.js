// The chart of a race, in the colors of the page.

import { find, h } from "./dom.js";

/** The chart in the colors of the page, drawn by the server; again whenever these change. */
export function showChart(base, query = "") {
  const place = find("#chart");
  const narrow = matchMedia("(max-width: 640px)").matches;
  const picture = h("img", { alt: place.dataset.label });
  const draw = () => {
    const shade = isDark() ? "dark" : "light";
    picture.src = `/api/${base}/chart.svg?shade=${shade}&narrow=${narrow}&${query}`;
  };
  draw();
  place.replaceChildren(picture);
  const changed = { attributeFilter: ["data-theme"] };
  new MutationObserver(draw).observe(document.documentElement, changed);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
}

const isDark = () => {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
};
