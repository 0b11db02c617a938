// Questions to the server. An error carries the sentence that the server answered.

import { announce, complain, confirmed, copy, find, h } from "./dom.js";
import { word } from "./words.js";

/** The answer to a GET. */
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

/** Show the address under which others play for the same secret as a game of one's own. */
export async function offerChallenge(id) {
  try {
    const { path } = await post(`games/${id}/challenge`);
    const link = new URL(path, location.href).href;
    const question = [word("sendLink"), h("b", { class: "address" }, link)];
    const agreed = await confirmed({ question, yes: word("copyLink"), no: word("closeLink") });
    if (agreed) await copy(link, word("linkCopied"));
  } catch (error) {
    complain(error.message);
  }
}

/**
 * Hear of a thing live, until it has ended: `show` gets what its events carry.
 *
 * The browser comes again by itself, with the id of what it heard last; where events do not come
 * through, or are asked for by a query that changes, the thing is asked for again and again. `query`
 * is what to ask for now, null for nothing; call what this returns when that has changed.
 */
export function follow(path, show, ended = () => false, query = () => "") {
  let source = null;
  let timer = null;
  let lost = false;
  const close = () => {
    clearTimeout(timer);
    timer = null;
    source?.close();
  };
  const listen = () => {
    close();
    const asked = query();
    if (asked === null) return;
    source = new EventSource(`/api/${path}/events${asked}`);
    source.addEventListener("open", () => {
      if (lost) complain(""); // nothing new may have happened
      lost = false;
    });
    for (const name of ["progress", "end"]) {
      source.addEventListener(name, ({ data }) => {
        complain("");
        if (name === "end") source.close();
        show(JSON.parse(data));
      });
    }
    source.addEventListener("error", () => {
      lost = true;
      if (ended()) source.close();
      else if (asked || source.readyState === EventSource.CLOSED) {
        close();
        timer = setTimeout(poll, 1000);
      } else complain(word("connectionLost"));
    });
  };
  const poll = async () => {
    const mine = timer;
    try {
      const state = await get(`${path}${query()}`);
      if (mine !== timer) return;
      show(state);
      complain("");
      if (!ended()) listen();
    } catch (problem) {
      if (mine !== timer) return;
      complain(problem.message);
      if (problem.status !== 404) timer = setTimeout(poll, 2000);
    }
  };
  listen();
  addEventListener("pagehide", close);
  addEventListener("pageshow", (event) => event.persisted && !ended() && listen());
  return listen;
}

/** Let a script send a form: `task` gets its fields; the button waits, unless the task fails. */
export function sends(form, task) {
  const button = find(".btn.go", form) ?? find("button", form);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    complain("");
    try {
      await task(new FormData(form));
    } catch (problem) {
      complain(problem.message);
      button.disabled = false;
      if (document.activeElement === document.body) button.focus(); // it was lost while it waited
    }
  });
  addEventListener("pageshow", () => (button.disabled = false));
}

/** Let the list of one's own games or races delete them, once that is confirmed. */
export function listOwn(path, question) {
  find("#own")?.addEventListener("click", async ({ target }) => {
    if (!target.matches("button:not(.challenge)")) return;
    const words = { question, yes: word("delete"), no: word("cancel") };
    if (!(await confirmed(words))) return;
    const row = target.closest("li");
    const ids = row.dataset.ids?.split(" ") ?? [row.dataset.id]; // several where races are one
    try {
      for (const id of ids) {
        await remove(`${path}/${id}`);
        find(`.offer a[href$="${id}"]`)?.closest(".offer").remove();
      }
      row.remove();
      announce(word("deleted"));
    } catch (error) {
      complain(error.message);
    }
  });
}

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
