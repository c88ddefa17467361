// Makes pages quicker: forms are sent and answered in place, boards can be touched, and changes
// of a game are seen at once. Everything else works without scripts.

import { touch } from "./board.js";
import { arrive, draw, leave, sound, sounds, Table } from "./motion.js";

document.documentElement.classList.add("live");

const main = () => document.querySelector("main");
const parser = new DOMParser();
const line = document.getElementById("line");
let stream = null;

// heard tells screen readers of changes; it stays while pages are replaced.
const heard = document.createElement("p");
heard.id = "heard";
heard.setAttribute("aria-live", "polite");
document.body.append(heard);

const text = (selector) => main().querySelector(selector)?.innerText ?? "";

// held is a selector that finds the element with the focus again on the next page; null for none.
function held() {
  const e = document.activeElement;
  if (!main().contains(e)) return null;
  if (e.dataset.square) return `:not(.study[data-choices=""]) > .board [data-square="${e.dataset.square}"]`;
  if (e.closest(".score")) return ".score [tabindex='0']";
  if (e.id) return `#${CSS.escape(e.id)}`;
  if (e.matches("input:not([type=radio], [type=checkbox]), select")) return `[name="${e.name}"]`;
  if (e.value) return `[value="${CSS.escape(e.value)}"]`;
  return e.getAttribute("aria-label") ? `[aria-label="${CSS.escape(e.getAttribute("aria-label"))}"]` : "h1";
}

// get fetches a page. It fails if the connection is cut, here or behind a proxy, or the server cannot answer now.
async function get(address, how) {
  const answer = await fetch(address, how);
  if (answer.status >= 500 || answer.status === 429) throw new Error(answer.statusText);
  return { address: answer.url.replace(/\?$/, ""), page: parser.parseFromString(await answer.text(), "text/html") };
}

// put shows the main part of a page, after those that are being shown. It does nothing if the page is older
// than the one that is seen or, if only changes were asked for, not newer.
let showing = Promise.resolve();
function put(page, how) {
  showing = showing.then(() => swap(page, how)).catch((fault) => trouble(String(fault)));
  return showing;
}

// drawn keeps the pieces that have been drawn, so that they are sent only once.
const drawn = draw(document.body, "svg", { hidden: "" });
function keepDrawn() {
  for (const of of [main(), ...[...main().querySelectorAll("template")].map((t) => t.content)]) {
    for (const s of of.querySelectorAll("symbol")) drawn.querySelector(`#${s.id}`) ?? drawn.append(s);
  }
}

// has is the header with which only changes are asked for: it tells what need not be sent again.
const has = () => ({ "Chimera-Has": [main().dataset.game ?? "-", ("over" in main().dataset && !document.getElementById("review")) || main().querySelector(".tries") ? 0 : (main().dataset.last ?? 0), main().querySelector(".touch")?.dataset.shape || "-", ...[...drawn.children].slice(-300).map((s) => s.id)].join(" ") });

// complete adds the unchanged parts to a page of changes.
function complete(page) {
  page.querySelector("[data-stays]")?.replaceWith(document.getElementById("stays"));
  const touch = page.querySelector("[data-says]");
  if (touch) {
    const says = touch.dataset.says.split(";");
    const squares = main().querySelector(".touch").cloneNode(true);
    for (const [i, r] of squares.querySelectorAll("rect").entries()) {
      for (const of of ["data-mine", "data-to", "data-move", "aria-selected"]) r.removeAttribute(of);
      r.setAttribute("tabindex", -1);
      r.setAttribute("aria-label", r.dataset.square + says[i]);
    }
    squares.setAttribute("viewBox", touch.getAttribute("viewBox"));
    touch.replaceWith(squares);
    for (const of of [".board > svg > .board", ".board > svg > .names"]) page.querySelector(of)?.replaceWith(main().querySelector(of).cloneNode(true));
    Object.assign(page.querySelector(".then").dataset, main().querySelector(".then").dataset);
  }
  const score = page.querySelector(".score");
  const rows = [...main().querySelectorAll(".score > li")].slice(0, score?.dataset.after ?? 0);
  for (const row of rows) row.querySelector("[aria-current]")?.removeAttribute("aria-current");
  score?.prepend(...rows);
}

const films = "template[data-does]";
async function swap(page, { address, changes }) {
  if (!page.querySelector("main")) return trouble(page.body.textContent); // an error's only sentence
  const { kept } = page.documentElement.dataset;
  const [was, is] = [main().dataset, page.querySelector("main").dataset];
  const sameGame = Boolean(is.game) && was.game === is.game;
  const news = sameGame ? Number(is.revision) - Number(was.revision) : 1;
  const told = page.querySelector("article");
  const tried = main().querySelector(".tries");
  const reviewed = !document.getElementById("review") && page.getElementById("review");
  if (kept && news <= 0) return trouble(line.dataset.cut); // the page that is seen is newer
  asOf(kept);
  if (news < 0 || (changes && !address && (sameGame ? news === 0 : !was.mark))) return; // what is chosen on the board stays chosen, and other pages stay
  if (changes && is.mark && was.mark) { // the rest of the page keeps what is being chosen there
    for (const part of page.querySelectorAll("[data-fresh]")) document.getElementById(part.id).replaceWith(document.adoptNode(part));
    main().dataset.mark = is.mark;
    return;
  }
  const elsewhere = address && (new URL(address, location).pathname !== location.pathname || (!is.game && page.title !== document.title)); // the latter is the next puzzle
  if (address) goes(address.replace(/\?$/, ""), sameGame, [was, is].map((of) => of.ply !== of.last));
  const begins = elsewhere && is.game;
  const typed = is.ply === was.ply && main().querySelector(".typed [name=text]")?.value;
  const focus = begins ? keyed && ".touch [tabindex='0']" : held();
  const [sheet, more] = document.querySelectorAll("[rel=stylesheet]");
  if (!more && !is.game) sheet.after(Object.assign(sheet.cloneNode(), { href: sheet.href.replace("style", "pages") })); // games need only the first
  document.title = page.title;
  for (const there of page.querySelectorAll(".rooms a")) {
    const room = document.querySelector(`.rooms [href="${there.getAttribute("href")}"]`);
    if (room) room.ariaCurrent = there.ariaCurrent;
  }
  const learn = page.querySelector(films) && (await import("./learn.js")); // games do without it
  const box = (of) => of.querySelector(".touch")?.getAttribute("viewBox") + of.querySelectorAll(".board > svg").length; // a legend makes boards higher
  const asks = [was, is].every((of) => "back" in of) && is.after === was.after; // a task waits for its move
  const [hint, fewer] = [main(), page].map((of) => of.querySelector("#act .hint"));
  if (asks && hint?.querySelectorAll(".done").length > fewer?.querySelectorAll(".done").length) fewer.replaceWith(hint.cloneNode(true)); // a refusal takes none back
  const still = asks && ![main(), page].some((of) => of.querySelector(films));
  const same = changes && (is.game ? sameGame : still) && box(document) === box(page) && ["ply", "last", "choices", "explains"].every((of) => was[of] === is[of]);
  const made = sameGame && played.made === String(Number(was.ply) + 1); // one's own move, shown on the board before it
  const moved = sameGame && Number(is.ply) - Number(was.ply) === (made && played.made !== is.ply ? 2 : 1);
  const does = moved ? JSON.parse(is.does || "null") ?? [] : [];
  if (moved && played.made !== is.ply) {
    await new Promise((go) => setTimeout(go, played.until - Date.now())); // an instant answer would look strange
    await leave(new Table(main().querySelector(".board")), does);
  }
  complete(page);
  if (same) {
    const { marks } = new Table(main().querySelector(".board"));
    for (const part of [".board > svg", ".beside"]) main().querySelector(part).replaceWith(document.adoptNode(page.querySelector(part)));
    new Table(main().querySelector(".board")).marks.replaceWith(marks);
    main().dataset.revision = is.revision; // a move that is being chosen counts for this revision
  } else {
    document.querySelector(".ghost")?.remove(); // its board is replaced
    main().replaceWith(document.adoptNode(page.querySelector("main")));
    if (elsewhere) scrollTo(0, 0);
  }
  ready(same);
  if (reviewed || (main().querySelector(".tries") && !tried)) main().scrollIntoView(); // it may be below the board
  else if (is.ply !== was.ply) for (const part of document.querySelectorAll("main:has(.try) > .board, .try, .review #said")) part.scrollIntoView({ block: "nearest" });
  main().querySelector(".study .told")?.scrollIntoView({ block: "nearest" });
  learn?.film(main());
  if (moved) {
    played.until = played.made === is.ply ? Date.now() + pause(does) : 0;
    arrive(new Table(main().querySelector(".board")), does);
    sound(does, { check: "check" in is, over: "over" in is });
  }
  heard.textContent = [...new Set(["#notes", "#said", ".tried"].map(text))].join(" ");
  const field = typed && main().querySelector(".typed [name=text]");
  if (field && !news) field.value = typed; // the stream was faster than an answer, and so is who types
  if (told && address && !begins && !focus?.includes("square")) {
    if (field) { // of the refused text
      field.value = typed;
      field.select();
      return told.scrollIntoView({ block: "nearest" });
    }
    told.tabIndex = -1;
    told.focus({ preventScroll: true });
    return told.scrollIntoView({ block: "nearest" }); // no further than it takes
  }
  if (!focus) return;
  const next = main().querySelector(focus) ?? main().querySelector("h1");
  if (next.matches("h1")) next.tabIndex = -1;
  next.focus({ preventScroll: true });
}

// goes puts a page's address into the history. All earlier moves of a game share one entry, so Back leads from them to
// the latest.
let left = "";
function goes(to, sameGame, [wasEarlier, earlier]) {
  if (history.state && sameGame && !earlier) {
    left = to;
    history.back();
  } else if (to !== location.href && (!sameGame || (earlier && !wasEarlier))) history.pushState(earlier, "", to);
  else history.replaceState(history.state, "", to);
}

addEventListener("popstate", () => {
  if (left) history.replaceState(null, "", left);
  else if (!location.hash) show(location.href);
  left = "";
});

// played is the ply after one's own move, which is shown before it is confirmed, and until when no answer is shown.
const played = { made: "", until: 0 };
const pause = (does) => ((does.length > 1 && !does[0].startsWith("castled")) || does.some((d) => !/^(moved|captured|castled) /.test(d)) ? 1200 : 450); // what does more takes longer to be seen

// trouble tells what is wrong, where it is always in view; "" for nothing.
function trouble(text) {
  line.textContent = text;
  line.hidden = !text;
}

// asOf tells that a page was kept for want of a network, and since when; it removes that for a new page.
function asOf(kept) {
  const of = document.documentElement;
  if (kept) of.dataset.kept = kept;
  else delete of.dataset.kept;
  const format = new Intl.DateTimeFormat(of.lang, { dateStyle: "medium", timeStyle: "short" });
  trouble(kept ? line.dataset.kept.replace("{at}", format.format(Number(kept))) : "");
}

// send posts a form, once all forms before it were answered. It tries again until there is an answer or the page is
// closed, always with the same key, so that nothing is done twice.
let sending = Promise.resolve();
function send(action, fields) {
  sending = sending.then(() => post(action, fields));
  return sending;
}

let keyed = false; // whether what was last pressed is a key
for (const press of ["pointerdown", "keydown"]) document.addEventListener(press, () => (keyed = press === "keydown"), { capture: true });

let refused = false; // whether the notes say what is wrong with a move
async function post(action, fields) {
  refused = false;
  fields.set("key", crypto.randomUUID?.() ?? String(Math.random()).slice(2));
  for (let tries = 0; ; tries++) {
    try {
      const answer = await get(action, { method: "POST", body: new URLSearchParams(fields), headers: has() });
      if (answer.page.getElementById("game")) unkept.add(answer.address);
      if (!answer.page.querySelector("main") && main().querySelector(".sent")) await show(location.href); // its board is as before the move
      return put(answer.page, { address: answer.address, changes: true });
    } catch (cut) {
      trouble(line.dataset.cut);
      await Promise.race([
        new Promise((go) => setTimeout(go, Math.min(500 * 2 ** tries, 15000))),
        new Promise((go) => addEventListener("online", go, { once: true })),
      ]);
    }
  }
}

// show fetches and shows the page at an address; at is the address to show for it. changes asks only for changes.
async function show(address, { changes, at = address } = {}) {
  let answer;
  try {
    if (changes) unkept.add(address);
    answer = await get(address, { headers: changes && has() });
  } catch (cut) {
    return trouble(line.dataset.cut);
  }
  put(answer.page, { address: changes ? undefined : at, changes });
}

document.addEventListener("submit", (e) => {
  const form = e.target;
  if (form.method === "dialog") return;
  if ("whole" in form.dataset) { // the whole page changes
    if (!form.elements.to) return;
    e.preventDefault();
    return import("./settings.js").then(({ speak }) => speak(form, e.submitter)).catch(() => trouble(line.dataset.cut));
  }
  e.preventDefault();
  const fields = new FormData(form, e.submitter);
  if (/^(\w+-)?(hint|piece|tell)\b/.test(fields.get("press"))) main().querySelector(".then button")?.click(); // of no piece that is chosen
  if (form.method === "post") return send(form.action, fields);
  show(`${new URL(form.action, location).pathname}?${new URLSearchParams(fields)}`);
});

document.addEventListener("click", async (e) => {
  const hands = e.target.closest?.("[data-share], [data-copy], [data-done]");
  if (!hands || e.ctrlKey || e.metaKey || e.shiftKey) return;
  if (!hands.dataset.done) e.preventDefault();
  const { copy, share, told } = await import("./share.js");
  if (hands.dataset.share) return share(hands.dataset);
  if (hands.dataset.done) told(hands, hands.dataset.done);
  heard.textContent = hands.dataset.done || (await copy(hands));
});

document.querySelector(".skip").addEventListener("click", (e) => {
  const square = main().querySelector(".touch [tabindex='0']");
  if (!square) return; // the link leads to the page's content
  e.preventDefault();
  square.focus();
});

// A press outside a sheet closes it, and does nothing else.
let shut = false;
for (const press of ["pointerdown", "click"]) {
  document.addEventListener(press, (e) => {
    if (press === "pointerdown") {
      const sheet = document.querySelector(":popover-open");
      shut = Boolean(sheet) && !sheet.contains(e.target) && !e.target.closest("[popovertarget]");
      if (shut) sheet.hidePopover();
    }
    if (!shut || (press === "click" && !e.detail)) return; // a key does not press outside
    e.preventDefault();
    e.stopPropagation();
  }, { capture: true });
}

// A menu closes by Escape or when something else is pressed. Escape also shuts the notes, and lets go of a piece.
for (const press of ["pointerdown", "keydown"]) {
  document.addEventListener(press, ({ target, key }) => {
    for (const menu of document.querySelectorAll(":is(.speak, #act details)[open]")) menu.open = key ? key !== "Escape" : menu.contains(target);
    if (key === "Escape") for (const out of document.querySelectorAll("#notes .shut, .then button")) out.click();
  });
}

// A slider chooses the move at which a game is seen.
document.addEventListener("change", async ({ target }) => {
  const { at } = target.dataset;
  if (at) show(new URL(at + target.value, location).href);
  if (target.closest(".settings")) (await import("./settings.js")).save(target, get).catch(() => trouble(line.dataset.lost));
});

document.addEventListener("click", (e) => {
  const link = e.target.closest?.("a[href^='?']");
  if (!link || e.ctrlKey || e.metaKey || e.shiftKey) return;
  e.preventDefault();
  show(new URL(link.getAttribute("href"), location).href); // the href property of a link in a drawing is no text
});

// Some links are also pressed by a key.
document.addEventListener("keydown", (e) => {
  if (e.target.closest("input, select, dialog, .touch") || e.ctrlKey || e.metaKey || e.altKey) return;
  const link = [...main().querySelectorAll("[aria-keyshortcuts]")].find((a) => a.ariaKeyShortcuts === e.key);
  if (!link) return;
  e.preventDefault();
  link.click();
});

document.addEventListener("keydown", (e) => {
  if (!e.target.matches("body, .touch *") || e.key.length > 1 || e.key === " " || e.ctrlKey || e.metaKey || e.altKey) return;
  main().querySelector(".typed [name=text]:not([readonly])")?.focus(); // a move is typed: its first letter goes there, too
});

// listen opens the stream of the game that is seen, and closes that of another.
function listen(game) {
  const { events } = main().dataset;
  const of = events ?? game?.dataset.game;
  if (stream?.of === of) return;
  stream?.source.close();
  stream = null;
  if (!of) return;
  const source = new EventSource(events ?? `/game/${of}/events`);
  stream = { of, source };
  source.onmessage = (e) => {
    asOf();
    if (events) return e.data === main().dataset.mark || show(location.href, { changes: true });
    const seen = document.getElementById("game");
    const at = location.search.includes("ply=") ? document.getElementById("act").action : location.href; // the move seen is no longer the latest
    if (e.data !== seen.dataset.revision && seen.dataset.ply === seen.dataset.last) show(at, { changes: true });
  };
  source.onerror = () => document.documentElement.dataset.kept ?? trouble(line.dataset.cut);
}

// keep makes this browser remember a choice.
function keep(choice) {
  const { kept } = choice.dataset;
  choice.checked = kept === "sounds" ? sounds() : localStorage[kept] === "yes";
  choice.onchange = () => (localStorage[kept] = choice.checked ? "yes" : "no");
}

// room gives what is told more room if it is long, and then makes it smaller if it must.
function room() {
  for (const told of main().querySelectorAll("#notes, #said")) {
    told.classList.remove("long", "longer");
    for (const more of ["long", "longer"]) if (told.scrollHeight > told.clientHeight) told.classList.add(more);
  }
}

// ready makes a page that was put in place work; same means that its board already does.
function ready(same) {
  const game = document.getElementById("game");
  keepDrawn();
  listen(game);
  for (const choice of document.querySelectorAll("[data-kept]")) keep(choice);
  if (main().querySelector("[data-due]")) import("./clock.js").catch(() => {}); // the page still tells the time left when it was made
  const settings = main().querySelector(".settings");
  if (settings) import("./settings.js").then(({ offer }) => offer(settings));
  const lesson = main().querySelector(".lesson:has(.picture)");
  if (lesson) import("./learn.js").then(({ begin }) => begin(lesson, get, send)).catch(() => {}); // the picture stays a link
  if (!game) return;
  for (const hands of game.querySelectorAll("[data-share]")) hands.hidden = !navigator.share;
  const made = game.querySelector("article [value^='reviewed ']");
  if (made) setTimeout(() => made.isConnected && made.click(), 2000); // asks again whether the review is done
  if (game.querySelector("article code")) import("./moves.js").then(({ press }) => room(press(game)));
  const list = game.querySelector(".score");
  const seen = list?.querySelector("[aria-current]");
  for (const move of list?.querySelectorAll("a") ?? []) move.tabIndex = -1; // arrow keys lead from one to the next
  (seen ?? list?.querySelector("a"))?.setAttribute("tabindex", 0);
  if (seen) list.scrollTo(seen.offsetLeft - list.offsetLeft - list.clientWidth / 2, seen.offsetTop - list.offsetTop - list.clientHeight / 2); // without scrolling the page
  room();
  if (same) return;
  const { next, explains } = game.dataset;
  const thinks = next && explains === undefined;
  const asks = document.getElementById("how")?.getAttribute("href");
  touch(game, {
    confirm: () => localStorage.confirm === "yes" && !thinks,
    look: (square, moves) => {
      document.getElementById("how")?.setAttribute("href", asks + (square ?? ""));
      document.getElementById("met")?.remove();
      if (refused && moves) document.getElementById("notes").replaceChildren();
      const latest = document.getElementById("latest"); // pieces move only there
      latest?.focus({ preventScroll: true });
      latest?.scrollIntoView({ block: "nearest" });
      if (square) import("./learn.js").then(({ meet }) => meet(game, square, get, moves && !game.matches(".study"))).then(room).catch(() => trouble(line.dataset.cut));
    },
    why: (from, to, briefly) => {
      if (briefly && (thinks || game.matches(".study"))) return undefined; // it would count as tried
      if (thinks) return get(`${location.href}&line=${from}${to}`, { headers: has() }).then(({ page }) => put(page, { address: location.href, changes: true }), () => trouble(line.dataset.cut)); // the address stays that of the legal line
      const typed = game.querySelector(".typed:has([name=text])");
      if (!typed) return undefined;
      const fields = new FormData(typed);
      fields.set("text", from + to);
      if (briefly) return get(typed.action, { method: "POST", body: new URLSearchParams(fields), headers: has() }).then(({ page }) => /^.*?[.!?](?= |$)/.exec(page.querySelector("article p")?.textContent), () => "");
      return send(typed.action, fields).then(() => (refused = true));
    },
    explain: explains === undefined ? null : (square) => show(location.pathname + next + square),
    play: (move) => {
      if (thinks) return show(location.pathname + next + encodeURIComponent(move.Move));
      const act = document.getElementById("act");
      const fields = new FormData(act);
      if (explains) history.replaceState(history.state, "", act.action); // nothing is explained any more
      fields.set("press", game.dataset.press.replace("{move}", move.Move));
      const table = new Table(game.querySelector(".board"));
      for (const piece of table.on(move.From)) piece.classList.add("sent");
      played.made = String(Number(game.dataset.ply) + 1);
      played.until = Date.now() + pause(move.Does);
      leave(table, move.Does);
      return send(act.action, fields);
    },
  });
}

// The worker keeps pages for when there is no network. Pages that it has not seen in their current state are fetched
// again when the page is hidden; the files of the first page come from the browser's own cache.
const unkept = new Set();
const worker = navigator.serviceWorker;
worker?.register("/worker.js").catch(() => {}); // a browser may allow none
worker?.addEventListener("controllerchange", () => {
  const parts = performance.getEntriesByType("resource").filter((part) => part.name.includes("/assets/"));
  for (const { name } of parts) fetch(name).catch(() => {});
  for (const at of [location.href, "/", "/learn"]) unkept.add(at);
  if (!document.getElementById("game")) letKeep();
}, { once: true });

function letKeep() {
  for (const at of unkept) if (!at.includes("/puzzle/")) fetch(at, { keepalive: true }).catch(() => {}); // that would fetch the next puzzle
  unkept.clear();
}

document.addEventListener("visibilitychange", () => document.hidden && letKeep());
addEventListener("online", () => document.documentElement.dataset.kept && show(location.href));

asOf(document.documentElement.dataset.kept);
ready();
if (main().dataset.game && main().dataset.choices.trim() && document.activeElement === document.body && !matchMedia("(pointer: coarse)").matches) main().querySelector(".touch [tabindex='0']").focus({ preventScroll: true }); // so that keys move pieces at once
if (main().querySelector(films)) import("./learn.js").then(({ film }) => film(main(), true)).catch(() => {});
