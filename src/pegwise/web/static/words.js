// Texts in the language of the page, with numbers and plurals as that language writes them.

const words = JSON.parse(document.querySelector("#words").textContent);
const language = document.documentElement.lang;
const plurals = new Intl.PluralRules(language);

/** A number with at most `digits` decimals; `least` of them always. */
export function number(value, digits = 0, least = 0) {
  if (value > Number.MAX_SAFE_INTEGER) return power(value);
  const options = { maximumFractionDigits: digits, minimumFractionDigits: least };
  return new Intl.NumberFormat(language, options).format(value);
}

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

/** A number too large to be exact, as 2.48 × 10¹⁸. */
function power(value) {
  const exponent = Math.floor(Math.log10(value));
  const raised = [...String(exponent)].map((digit) => "⁰¹²³⁴⁵⁶⁷⁸⁹"[digit]).join("");
  return `${number(value / 10 ** exponent, 2)} × 10${raised}`;
}

function form(key, n) {
  const [one, other] = words[key];
  return plurals.select(n) === "one" ? one : other;
}

function fill(text, values) {
  return text.split(/\{(\w+)\}/).map((part, place) => (place % 2 ? values[part] : part));
}
