// What was seen goes on without the network: the files of pages, puzzles, Learn and the first page.

const NAME = "pegwise";
const SHELL = /^\/static\/v[0-9a-f]{8}\//;
const PAGES = /^\/(puzzle|learn(\/[\w-]+)?)?$/;

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

async function first(request, kept) {
  const cache = await caches.open(NAME);
  const have = await cache.match(request);
  if (have && kept) return have;
  try {
    const answer = await fetch(request);
    if (answer.ok && !answer.redirected) {
      // the files of an older program are of no use any more
      const folder = kept && request.url.replace(/[^/]*$/, "");
      if (folder) for (const old of await cache.keys()) if (/\/static\/v/.test(old.url) && !old.url.startsWith(folder)) cache.delete(old);
      cache.put(request, answer.clone());
    }
    return answer;
  } catch (offline) {
    if (have) return have;
    throw offline;
  }
}

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (SHELL.test(pathname)) event.respondWith(first(request, true));
  else if (request.mode === "navigate" && PAGES.test(pathname)) event.respondWith(first(request, false));
});
