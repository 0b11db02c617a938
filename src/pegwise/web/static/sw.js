// What was seen goes on without the network. Each version of the site has a cache of its own, by the
// name in the address of this script; the first page, today's puzzle and games and Learn are kept at once.

const NAME = location.search;
const FILES = /\/static\/v[0-9a-f]{8}\/[\w.-]+/g;
const PAGES = /^\/(puzzle|day|learn(\/[\w-]+)?)?$/;

/** What is kept; nothing where the browser keeps nothing. */
const have = (request) => caches.open(NAME).then((cache) => cache.match(request, { ignoreVary: true })).catch(() => undefined);
const put = async (request, answer) => (await caches.open(NAME)).put(request, answer);

/** What there is on the visitor's own day: the puzzle, the hidden code, the hidden word. */
const TODAY = { "/puzzle": "/puzzle?date=", "/day": "/day?rules=4x6&date=", "/day?rules=wordle": "/day?rules=wordle&date=" };
const today = (page = "/puzzle") => `${TODAY[page]}${new Date(Date.now() - new Date().getTimezoneOffset() * 60_000).toISOString().slice(0, 10)}`;

/** Keep a page with its files. */
async function keep(page) {
  const answer = await fetch(page);
  if (!answer.ok) return;
  await put(page, answer.clone());
  for (const [file] of (await answer.text()).matchAll(FILES)) if (!(await have(file))) await put(file, await fetch(file));
}

const keepAll = (open = []) => Promise.allSettled(["/offline", ...Object.keys(TODAY).map(today), "/", "/learn", ...open].map(keep));

async function install() {
  const open = await clients.matchAll({ includeUncontrolled: true });
  await keepAll(open.map(({ url }) => url).filter((url) => PAGES.test(new URL(url).pathname)));
  await skipWaiting();
}

async function activate() {
  for (const name of await caches.keys()) if (name !== NAME) await caches.delete(name);
  await clients.claim();
}

async function file(event) {
  const kept = await have(event.request);
  if (kept) return kept;
  const answer = await fetch(event.request);
  if (answer.ok) event.waitUntil(put(event.request, answer.clone()));
  return answer;
}

/** A page as the server has it; without the network as it was, or what can be done meanwhile. */
async function page(event, path) {
  const answer = await fetch(event.request).catch(() => null);
  if (answer) event.waitUntil(note(event.request, answer.clone(), path));
  const asked = path + new URL(event.request.url).search;
  const other = asked in TODAY ? today(asked) : "/offline";
  return answer ?? (await have(event.request)) ?? (await have(other)) ?? (await have("/offline")) ?? Response.error();
}

/** Keep a page that was seen; all of them on a new day, or in another language. */
async function note(request, answer, path) {
  if (answer.ok && PAGES.test(path)) await put(request, answer);
  const [language, kept] = [answer.headers.get("content-language"), await have(today())];
  if (language && kept?.headers.get("content-language") !== language) await keepAll();
}

addEventListener("install", (event) => event.waitUntil(install()));
addEventListener("activate", (event) => event.waitUntil(activate()));
addEventListener("fetch", (event) => {
  const [{ method, mode }, { origin, pathname }] = [event.request, new URL(event.request.url)];
  if (method !== "GET" || origin !== location.origin) return;
  if (mode === "navigate") event.respondWith(page(event, pathname));
  else if (pathname.match(FILES)) event.respondWith(file(event));
});
