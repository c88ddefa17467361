// Keeps the pages that were seen last, and their files, for when there is no network. Pages come from the network if
// possible. Only answers to GET are kept, and only those of one person: the first page for somebody else, or for
// nobody, removes what was kept before.

const most = { pages: 60, files: 60 };
const lasting = /^\/($|(learn|puzzle|daily|rules)(\/|$)|game\/[a-z]+$)/;

addEventListener("install", () => skipWaiting());
addEventListener("activate", (e) => e.waitUntil(Promise.all([clients.claim(), registration.navigationPreload?.enable()])));

addEventListener("fetch", (e) => {
  const { method, mode, url } = e.request;
  const { origin, pathname } = new URL(url);
  if (method !== "GET" || origin !== location.origin || e.request.headers.has("Chimera-Has")) return; // such a request asks only for changes
  if (pathname.startsWith("/assets/")) e.respondWith(file(e));
  else if (mode === "navigate" || lasting.test(pathname)) e.respondWith(page(e, lasting.test(pathname)));
});

// file answers with a file, which never changes.
async function file(e) {
  const cache = await caches.open("files");
  const kept = await cache.match(e.request.url);
  if (kept) return kept;
  const answer = await fetch(e.request);
  if (answer.ok) e.waitUntil(put("files", e.request.url, answer.clone()));
  return answer;
}

let asked = 0; // number of requests for pages

async function page(e, lasts) {
  const { url, mode } = e.request;
  const turn = ++asked;
  let answer;
  try {
    answer = (await e.preloadResponse) ?? (await fetch(e.request));
  } catch (cut) {
    answer = Response.error();
  }
  if (answer.ok) e.waitUntil(keep(url, answer.clone(), lasts, turn));
  if (answer.type !== "error" && answer.status !== 502 && answer.status !== 504) return answer;
  const cache = await caches.open("pages");
  const kept = await cache.match(url);
  if (kept) return old(kept);
  return mode === "navigate" && (await cache.match("/")) ? Response.redirect("/") : answer;
}

// old marks a kept page with the time since when it has been kept.
async function old(kept) {
  const at = Date.parse(kept.headers.get("Date"));
  return new Response((await kept.text()).replace("<html ", `<html data-kept="${at}" `), { headers: kept.headers });
}

// keep keeps pages, one at a time. It drops an answer that arrives after that to a later request.
let keeping = Promise.resolve();
const newest = new Map();
function keep(url, answer, lasts, turn) {
  const whose = (page) => page.headers.get("Chimera-Person");
  keeping = keeping.then(async () => {
    const cache = await caches.open("pages");
    const [first] = await cache.keys();
    if (first && whose(await cache.match(first)) !== whose(answer)) await caches.delete("pages");
    if (!lasts || answer.redirected || turn < newest.get(url)) return;
    newest.set(url, turn);
    await put("pages", url, answer);
  }).catch(() => {}); // a browser without room keeps nothing
  return keeping;
}

// put keeps an answer as the newest, and removes the oldest if there are too many. One that is cut off does not replace the last.
async function put(name, url, answer) {
  const cache = await caches.open(name);
  await cache.put(url, answer);
  for (const past of (await cache.keys()).slice(0, -most[name])) await cache.delete(past);
}
