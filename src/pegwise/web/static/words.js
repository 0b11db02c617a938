// Texts in the language of the page, with numbers and plurals as that language writes them.

const words = JSON.parse(document.querySelector("#words").textContent);
const language = document.documentElement.lang;
const plurals = new Intl.PluralRules(language);

/**
 * A number with at most `digits` decimals; `least` of them always.
 *
 * It is rounded as the server rounds, so that a page and its pictures show the same: by the exact
 * value of the float (32.3925 is a bit less than it looks), and from between two to the even one.
 */
export function number(value, digits = 0, least = 0) {
  if (value >= 1e9) return power(value);
  const options = {
    maximumFractionDigits: digits,
    minimumFractionDigits: least,
    roundingMode: "halfEven",
    signDisplay: "negative", // never -0
  };
  return new Intl.NumberFormat(language, options).format(exact(value, digits));
}

/** What Intl rounds rightly, though it looks only at the shortest digits of a float. */
const exact = (value, digits) =>
  Number.isInteger(value * 2 ** (digits + 1)) ? value : Number(value.toFixed(digits));

/** A short time, in milliseconds. */
export const milliseconds = (seconds) => `${number(1000 * seconds, 3, 3)} ms`;

/** A text, with its places `{name}` filled in. */
export function word(key, values = {}) {
  return fill(words[key], values).join("");
}

/** A text with a number, in the form that the number asks for; `{n}` is the number. */
export function count(key, n, values = {}) {
  return fill(form(key, n), { n: number(n, 1), ...values }).join("");
}

/** A text whose places may be elements: a list of strings and elements. */
export function sentence(key, values, n = null) {
  return fill(n === null ? words[key] : form(key, n), values);
}

/** What a guess costs against the best one, by the yardstick of the coach. */
export function verdict({ unit, above }) {
  if (!unit) return "";
  const exact = unit === "guesses";
  if (!above) return word(exact ? "nonePlays" : "noneTells");
  const n = above < 0.005 ? `≤ ${number(0.01, 2)}` : number(above, 2, 2);
  return count(exact ? "bestPlays" : "bestTells", above, { n });
}

/** A number of billions, rounded: 2.48 × 10¹⁸. */
function power(value) {
  const exponent = Number(value.toExponential(2).split("e")[1]);  // of what is rounded
  const raised = [...String(exponent)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("");
  return `${number(value / 10 ** exponent, 2, 2)} × 10${raised}`;
}

/** The form for a number as `count` shows it: 1.96 codes are "2 codes" in French too. */
function form(key, n) {
  const [one, other] = words[key];
  return plurals.select(exact(n, 1)) === "one" ? one : other;
}

function fill(text, values) {
  return text.split(/\{(\w+)\}/).map((part, place) => (place % 2 ? values[part] : part));
}
