// Makes the pages quicker: forms are sent and answered in place, boards are touched, and changes
// of a game are seen at once. What is not here works without it.

import { touch } from "./board.js";

document.documentElement.classList.add("live");

const main = () => document.querySelector("main");
const parser = new DOMParser();
let stream = null;

// put shows the part of an answer that pages differ in; where nobody asked for it, only if it is news.
async function put(answer, { address, unasked } = {}) {
  const page = parser.parseFromString(await answer.text(), "text/html");
  const [was, is] = [main().dataset, page.querySelector("main").dataset];
  const news = was.game !== is.game ? 1 : Number(is.revision) - Number(was.revision);
  if (news < 0 || (unasked && news === 0 && !page.querySelector("article"))) return; // what is chosen on the board stays so
  if (address) history.replaceState(null, "", address);
  document.title = page.title;
  const focus = document.activeElement?.dataset?.square;
  main().replaceWith(document.adoptNode(page.querySelector("main")));
  ready();
  if (focus) main().querySelector(`[data-square="${focus}"]`)?.focus();
}

function trouble(text) {
  const line = document.getElementById("line");
  if (!line) return;
  line.textContent = text;
  line.hidden = !text;
}

// send posts what a form says; one key is sent again until it is answered, so nothing is done twice.
async function send(action, fields) {
  fields.set("key", crypto.randomUUID?.() ?? String(Math.random()).slice(2));
  for (let tries = 0; ; tries++) {
    try {
      const answer = await fetch(action, { method: "POST", body: new URLSearchParams(fields) });
      return await put(answer, { address: answer.redirected ? answer.url : undefined, unasked: true });
    } catch (cut) {
      if (tries === 4) return trouble(main().dataset.lost);
      trouble(main().dataset.cut);
      await new Promise((go) => setTimeout(go, 500 * 2 ** tries));
    }
  }
}

// show shows a page, or this one as it is now.
async function show(address, heard) {
  try {
    await put(await fetch(address), { address: heard ? undefined : address, unasked: heard });
  } catch (cut) {
    trouble(main().dataset.cut);
  }
}

document.addEventListener("submit", (e) => {
  const form = e.target;
  if (form.method !== "post") return;
  e.preventDefault();
  send(form.action, new FormData(form, e.submitter));
});

document.addEventListener("click", (e) => {
  const link = e.target.closest?.("a[href^='?']");
  if (!link || e.ctrlKey || e.metaKey || e.shiftKey) return;
  e.preventDefault();
  show(new URL(link.href, location).href);
});

document.addEventListener("keydown", (e) => {
  const game = document.getElementById("game");
  if (!game || e.target.closest("input, select, dialog, .touch") || e.ctrlKey || e.metaKey || e.altKey) return;
  const steps = { ArrowLeft: -1, ArrowRight: 1, Home: -1e6, End: 1e6 }[e.key];
  if (!steps) return;
  const last = Number(game.dataset.last);
  const ply = Math.min(Math.max(Number(game.dataset.ply) + steps, 0), last);
  e.preventDefault();
  show(location.pathname + (ply === last ? "" : "?ply=" + ply));
});

// listen hears of changes of the game that is seen, and of none when there is none.
function listen(game) {
  const of = game?.dataset.game;
  if (stream?.of === of) return;
  stream?.source.close();
  stream = null;
  if (!of) return;
  const source = new EventSource(`/game/${of}/events`);
  stream = { of, source };
  source.onmessage = (e) => {
    trouble("");
    const seen = document.getElementById("game");
    if (e.data !== seen.dataset.revision && seen.dataset.ply === seen.dataset.last) show(location.href, true);
  };
  source.onerror = () => trouble(document.getElementById("game")?.dataset.cut);
}

function ready() {
  const game = document.getElementById("game");
  listen(game);
  if (!game) return;
  const confirm = document.getElementById("confirm");
  confirm.checked = localStorage.getItem("confirm") === "yes";
  confirm.onchange = () => localStorage.setItem("confirm", confirm.checked ? "yes" : "no");
  const list = game.querySelector(".score");
  const seen = list.querySelector("[aria-current]");
  if (seen) list.scrollTop = seen.offsetTop - list.offsetTop - list.clientHeight / 2; // the page stays where it is
  touch(game, confirm, (move) => {
    const fields = new FormData(document.getElementById("act"));
    fields.set("press", `play ${game.dataset.game} ${game.dataset.last} ${move}`);
    send(location.pathname + location.search, fields);
  });
}

ready();
