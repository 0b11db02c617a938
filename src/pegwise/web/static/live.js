// What happens on the server, told while it happens.

import { get } from "./api.js";
import { complain } from "./dom.js";
import { word } from "./words.js";

const SILENCE = 60_000; // of a connection that is dead: the server says four times a minute that it is there

/**
 * Hear of a thing live, until it has ended: `show` gets what its events carry.
 *
 * The browser comes again by itself, with the id of what it heard last, and after a silence; where
 * events do not come through, or are asked for by a query that changes, the thing is asked for again
 * and again. `query` is what to ask for now, null for nothing; call what this returns when that has
 * changed.
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
    const wait = () => {
      clearTimeout(timer);
      timer = setTimeout(listen, SILENCE);
    };
    wait();
    source.addEventListener("alive", wait);
    source.addEventListener("open", () => {
      if (lost) complain(""); // nothing new may have happened
      lost = false;
    });
    for (const name of ["progress", "end"]) {
      source.addEventListener(name, ({ data }) => {
        complain("");
        wait();
        if (name === "end") close();
        show(JSON.parse(data));
      });
    }
    source.addEventListener("error", () => {
      lost = true;
      if (ended()) close();
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
