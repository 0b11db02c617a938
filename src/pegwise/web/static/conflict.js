// Marks that contradict each other: which one is likely wrong, and what can be done about it.

import { disclosure, h } from "./dom.js";
import { codeElement, markElement, markWords } from "./pegs.js";
import { count, word } from "./words.js";

/**
 * What is said and offered, as elements.
 * @param suspects [{turn, mark, instead: [{mark, count}]}], likeliest first
 * @param causes what else may be wrong, in sentences
 * @param fewest how many marks must be wrong; null where that is not known
 * @param remark, ignore, edit what buttons do to a turn, counted from 0
 */
export function conflictView({ rules, turns, suspects, fewest, causes, remark, ignore, edit }) {
  const many = fewest === null ? "noFitUnknown" : "noFitMany";
  const said = h("p", { class: "soft" }, word(suspects.length ? "noFitOne" : many));
  const more = (causes ?? []).map((text) => h("li", {}, text));
  const [likely, ...others] = suspects;
  return [
    h("div", { role: "alert" }, h("h2", {}, word("noFit")), said),
    likely ? likeliest(rules, turns, likely, { remark, ignore, edit }) : anyTurn(rules, turns, ignore, edit),
    others.length && h("div", {}, h("h2", {}, word("orOther")), h("ol", { class: "alt" }, others.map((suspect) => other(rules, suspect, remark)))),
    more.length && disclosure(word("causes"), h("ul", { class: "near" }, more)),
  ].filter(Boolean);
}

function likeliest(rules, turns, { turn, mark, instead }, { remark, ignore, edit }) {
  const [best] = instead;
  return h(
    "div",
    { class: "near" },
    h("p", {}, h("b", { class: "warn" }, word("likely", { n: turn })), " ", count("withThis", best.count)),
    h(
      "div",
      { class: "swap" },
      codeElement(turns[turn - 1].guess, "s"),
      h("span", { class: "was" }, markElement(mark, rules)),
      arrow(),
      markElement(best.mark, rules),
      h("span", {}, markWords(best.mark, rules)),
    ),
    h(
      "div",
      { class: "row" },
      button("btn go", word("changeTurn", { n: turn }), () => remark(turn - 1, best.mark)),
      button("btn", word("markAgain"), () => edit(turn - 1)),
      button("btn", word("ignoreTurn", { n: turn }), () => ignore(turn - 1)),
    ),
    why(rules, turn, instead, remark),
  );
}

/** Why this turn: what the codes that fit all other turns would have given it. */
function why(rules, turn, instead, remark, title = word("why")) {
  const all = instead.reduce((sum, { count: n }) => sum + n, 0);
  const item = ({ mark, count: n }) =>
    h("li", { class: "row" }, markElement(mark, rules, "s"), h("span", { class: "small" }, count("fit", n)), change(rules, turn, mark, remark));
  const text = h("p", {}, count("whyTurn", all, { turn }));
  return disclosure(title, h("div", { class: "near" }, text, h("ul", { class: "near s reason" }, instead.map(item))));
}

function other(rules, { turn, mark, instead }, remark) {
  const [best] = instead;
  return h(
    "li",
    {},
    h("span", { class: "soft" }, word("turn", { n: turn })),
    markElement(mark, rules, "s"),
    arrow(),
    markElement(best.mark, rules, "s"),
    h("span", { class: "soft small" }, count("fit", best.count)),
    change(rules, turn, best.mark, remark),
    instead.length > 1 && why(rules, turn, instead, remark, count("marksFit", instead.length)),
  );
}

/** No single change helps: any turn may be marked again or ignored. */
function anyTurn(rules, turns, ignore, edit) {
  const item = ({ guess, mark, ignored }, place) =>
    !ignored &&
    h(
      "li",
      {},
      h("span", { class: "soft" }, word("turn", { n: place + 1 })),
      codeElement(guess, "xs"),
      markElement(mark, rules, "s"),
      h("span", { class: "row" }, button("btn s", word("markAgain"), () => edit(place)), button("btn s", word("ignoreTurn", { n: place + 1 }), () => ignore(place))),
    );
  return h("ol", { class: "alt any" }, turns.map(item));
}

const arrow = () => h("span", { class: "soft", role: "img", "aria-label": word("becomes") }, "→");

const button = (style, text, onclick, label = null) =>
  h("button", { type: "button", class: style, onclick, "aria-label": label }, text);

const change = (rules, turn, mark, remark) =>
  button("btn s", word("change"), () => remark(turn - 1, mark), word("changeTo", { n: turn, mark: markWords(mark, rules) }));
