// What was seen goes on without the network. Each version of the site has a cache of its own, by the
// name in the address of this script; the first page, today's puzzle and Learn are kept at once.

const NAME = location.search;
const FILES = /\/static\/v[0-9a-f]{8}\/[\w.-]+/g;
const PAGES = /^\/(puzzle|learn(\/[\w-]+)?)?$/;

const have = async (request) => (await caches.open(NAME)).match(request, { ignoreVary: true });

/** The puzzle of the visitor's own day. */
const today = () => `/puzzle?date=${new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 10)}`;

/** Keep a page with its files. */
async function keep(page) {
  const [cache, answer] = [await caches.open(NAME), await fetch(page)];
  if (!answer.ok) return;
  await cache.put(page, answer.clone());
  for (const [file] of (await answer.text()).matchAll(FILES)) if (!(await have(file))) await cache.add(file);
}

const keepAll = (open = []) => Promise.allSettled(["/offline", today(), "/", "/learn", ...open].map(keep));

async function install() {
  const open = await clients.matchAll({ includeUncontrolled: true });
  await keepAll(open.map(({ url }) => url).filter((url) => PAGES.test(new URL(url).pathname)));
  await skipWaiting();
}

async function activate() {
  for (const name of await caches.keys()) if (name !== NAME) await caches.delete(name);
  await clients.claim();
}

async function file(request) {
  const kept = await have(request);
  if (kept) return kept;
  const answer = await fetch(request);
  if (answer.ok) (await caches.open(NAME)).put(request, answer.clone());
  return answer;
}

/** A page as the server has it; without the network as it was, or what can be done meanwhile. */
async function page(event, path) {
  const { request } = event;
  try {
    const answer = await fetch(request);
    if (answer.ok && PAGES.test(path)) (await caches.open(NAME)).put(request, answer.clone());
    const language = answer.headers.get("content-language");
    const kept = (await have(today()))?.headers.get("content-language");
    if (language && kept !== language) event.waitUntil(keepAll()); // a new day, or another language
    return answer;
  } catch (offline) {
    const instead = path === "/puzzle" && !new URL(request.url).search ? today() : "/offline";
    return (await have(request)) ?? (await have(instead)) ?? (await have("/offline")) ?? Promise.reject(offline);
  }
}

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(activate()));
addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate") event.respondWith(page(event, pathname));
  else if (pathname.match(FILES)) event.respondWith(file(request));
});
