// Questions to the server. An error carries the sentence that the server answered.

import { word } from "./words.js";

/** The answer to a GET. */
export const get = (path) => ask(path, {});

/** The answer to a POST of a JSON body. */
export const post = (path, body = {}) =>
  ask(path, {
    method: "POST",
    headers: {
      "Content-Type": "application/json",
      "X-CSRF-Token": token(),
    },
    body: JSON.stringify(body),
  });

/** The answer to a DELETE. */
export const remove = (path) =>
  ask(path, { method: "DELETE", headers: { "X-CSRF-Token": token() } });

const token = () => document.querySelector("meta[name=csrf-token]").content;

async function ask(path, options) {
  let response;
  try {
    response = await fetch(`/api/${path}`, options);
  } catch {
    throw new Error(word("offline"));
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) {
    throw Object.assign(new Error(answer.detail ?? response.statusText), { status: response.status });
  }
  return answer;
}
