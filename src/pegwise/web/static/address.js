// The state of a page in its address, written so that people can read it.

/** A query: `rules=4x6&history=AABB:XO,CCDD:-`; what is empty is left out. */
export function query(state) {
  const parts = Object.entries(state).filter(([, value]) => value);
  const plain = (value) =>
    encodeURIComponent(value).replace(/%3A/g, ":").replace(/%2C/g, ",").replace(/%7E/g, "~");
  return parts.map(([name, value]) => `${name}=${plain(value)}`).join("&");
}

/** A code or a mark without the signs that set turns apart: `%2C` for a comma. */
const escaped = (text, signs) => text.replace(signs, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
const unescaped = (text) => text.replace(/%(25|2C|3A|3D|7E)/g, (_, code) => String.fromCharCode(parseInt(code, 16)));

/** Turns as `AABB:XO,CCDD:-~`; an ignored one ends with `~`. */
export const historyText = (turns) =>
  turns.map(({ guess, mark, ignored }) => `${escaped(guess, /[%,:=~]/g)}:${escaped(mark, /[%,:~]/g)}${ignored ? "~" : ""}`).join(",");

/** Turns from such a text, or as the command line writes them: `AABB=XO`. */
export const readHistory = (text) =>
  text.split(",").filter(Boolean).map((part) => {
    const [, guess, mark] = part.match(/^([^:=]*)[:=]?(.*)$/);
    return { guess: unescaped(guess), mark: unescaped(mark.replace("~", "")), ignored: mark.endsWith("~") };
  });

/** Have a value in the address of the page; "" removes it. */
export function setInAddress(name, value) {
  const address = new URL(location.href);
  if (value) address.searchParams.set(name, value);
  else address.searchParams.delete(name);
  history.replaceState(null, "", address);
}
