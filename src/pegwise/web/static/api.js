// Questions to the server. An error carries the sentence that the server answered.

import { word } from "./words.js";

/** The answer to a GET: what its JSON says, or a piece of a page as text. */
export const get = (path) => ask(path, {});

/** Show that an answer takes long, and what it waits for, until what this returns is called. */
export function waiting(show) {
  let timer = setTimeout(() => {
    show(word("working"));
    timer = setTimeout(look, 3000);
  }, 500);
  const look = async () => {
    const mine = timer;
    const { compiling, done } = await get("compiling").catch(() => ({}));
    if (mine !== timer) return;
    show(compiling ? word("compiling", { done }) : word("stillWorking"));
    timer = setTimeout(look, 1000);
  };
  return () => {
    clearTimeout(timer);
    timer = null;
  };
}

/** The answer to a POST of a JSON body. */
export const post = (path, body = {}) =>
  ask(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });

/** The answer to a DELETE. */
export const remove = (path) => ask(path, { method: "DELETE" });

async function ask(path, options) {
  let response;
  try {
    response = await fetch(`/api/${path}`, options);
  } catch {
    throw new Error(word("offline"));
  }
  const drawn = response.headers.get("content-type")?.startsWith("text/html");
  const answer = await (drawn ? response.text() : response.json()).catch(() => ({}));
  if (!response.ok) {
    throw Object.assign(new Error(answer.detail ?? response.statusText), { status: response.status });
  }
  return answer;
}
