// How many codes were left after each turn, on a logarithmic scale.

import { svg } from "./dom.js";
import { number, word } from "./words.js";

const [WIDTH, TOP, BASE] = [424, 34, 152];
const [LETTER, LINE] = [9.5, 17]; // of a label, as it is drawn on a phone

/**
 * The chart, or null before the first turn.
 * @param counts codes at the start and after each turn, none 0
 * @param expected what is expected after the guess in the making, or null
 */
export function leftChart(counts, expected = null) {
  if (counts.length < 2) return null;
  const all = expected === null ? counts : [...counts, expected];
  const most = Math.log2(counts[0]) || 1;
  const step = (WIDTH - 8) / Math.max(4, all.length - 1);
  const x = (turn) => 8 + turn * step;
  const y = (left) => BASE - ((BASE - TOP) * Math.log2(Math.max(1, left))) / most;
  const at = (turn) => `${x(turn).toFixed(1)},${y(all[turn]).toFixed(1)}`;
  const dots = counts.map((_, turn) => at(turn));
  const last = counts.length - 1;
  const said = counts.map((left) => number(left)).join(", ");
  const label = (turn) => number(all[turn], turn <= last ? 0 : 1);
  const room = roomFor(all.map((left, turn) => ({ x: turn ? x(turn) + 3 : 0, y: y(left), text: label(turn) })));
  const tag = (turn) => {
    const sure = turn <= last;
    const anchor = turn ? "middle" : "start";
    const said = { x: turn ? x(turn) + 3 : 0, y: y(all[turn]) - 13, class: sure ? "v" : null, "text-anchor": anchor };
    return [
      svg("circle", { cx: x(turn), cy: y(all[turn]), r: sure ? 5 : 4, class: sure ? null : "open" }),
      room[turn] && svg("text", said, label(turn)),
      svg("text", { x: turn ? x(turn) : 0, y: 172, "text-anchor": anchor }, turn ? number(turn) : word("start")),
    ];
  };
  return svg(
    "svg",
    { class: "chart", viewBox: "0 0 440 176", role: "img", "aria-label": word("chart", { counts: said }) },
    svg("polygon", { class: "area", points: [...dots, `${x(last)},${BASE}`, `8,${BASE}`].join(" ") }),
    svg("path", { class: "base", d: `M0 ${BASE}H440` }),
    svg("polyline", { class: "line", points: dots.join(" ") }),
    expected !== null && svg("polyline", { class: "line dash", points: `${at(last)} ${at(last + 1)}` }),
    all.map((_, turn) => tag(turn)),
  );
}

/** Which labels can be read: where two would touch, the later one stays. */
function roomFor(labels) {
  let next = null;
  const room = labels.map(() => false);
  for (const [turn, { x, y, text }] of [...labels.entries()].reverse()) {
    const width = LETTER * text.length;
    const left = turn ? x - width / 2 : x;
    if (next && left + width > next.left && Math.abs(y - next.y) < LINE) continue;
    room[turn] = true;
    next = { left, y };
  }
  return room;
}
