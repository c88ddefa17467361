// Shows the moves that were made in an exercise on its board, and then the current position.

import { sign, touch } from "./board.js";
import { arrive, leave, sound, Table } from "./motion.js";

const pause = (time) => new Promise((go) => setTimeout(go, time));

// film shows the moves that come with a page, one after the other unless rests is set, until somebody touches the
// board. It also lets people step through a solution.
export async function film(page, rests) {
  const frames = [...page.querySelectorAll("template[data-does]")];
  const [first, home] = [Number(page.dataset.first), Number(page.dataset.home)];
  const [own, back] = ["own", "back"].map((of) => of in page.dataset);
  const board = page.querySelector(".board");
  const end = board.querySelector(":scope > svg").cloneNode(true);
  const line = [...page.querySelectorAll(".line a")];
  let at = home;
  let runs = null; // the showing under way

  function see(i) {
    at = i;
    board.querySelector(":scope > svg").replaceWith((frames[i]?.content.firstElementChild ?? end).cloneNode(true));
    if (!line.length) return;
    page.querySelector(".says").textContent = frames[i].dataset.told;
    for (const [n, move] of line.entries()) move.ariaCurrent = n + 1 === i ? "true" : null;
    for (const by of page.querySelectorAll("[data-by]")) by.disabled = !frames[i + Number(by.dataset.by)];
  }

  // show shows the moves from one to the last; seen: the first is seen already. It is false if another showing begins.
  async function show(from, last, wait, seen) {
    const mine = (runs = {});
    for (let i = from; i <= last; i++) {
      const does = JSON.parse(frames[i].dataset.does) ?? [];
      if (i > from || !seen) {
        await pause(i > from ? 1000 : wait);
        if (runs === mine && line[i - 2]?.textContent.endsWith("+")) for (const check of board.querySelectorAll(".marks, .above, .pins")) check.remove(); // the check is answered
        if (runs === mine) await leave(new Table(board), does);
      }
      if (runs !== mine) return false;
      see(i);
      sound(does, {});
      arrive(new Table(board), does);
    }
    return true;
  }

  function stop(i) {
    runs = null;
    see(i);
  }

  // step shows the next move, or jumps to another position.
  async function step(i) {
    const to = Math.min(Math.max(i, 0), frames.length - 1);
    page.querySelector(".then button").click(); // nothing stays chosen
    const on = to === at + 1;
    stop(on ? at : to);
    document.getElementById("heard").textContent = frames[to].dataset.told;
    if (on && (await show(at = to, to, 0))) runs = null;
  }

  const touched = () => {
    if (runs || (back && at !== home)) stop(home); // pieces can only be chosen on that board
  };
  for (const kind of ["pointerdown", "keydown"]) board.addEventListener(kind, touched, { capture: true });
  if (line.length) see(rests ? home : first - 1);
  for (const [n, move] of line.entries()) {
    move.href = "#game";
    move.onclick = (e) => {
      e.preventDefault();
      step(n + 1);
    };
  }
  for (const by of page.querySelectorAll("[data-by]")) by.onclick = () => step(at + Number(by.dataset.by));
  const goes = new AbortController();
  document.addEventListener("keydown", (e) => {
    const by = { ArrowLeft: -1, ArrowRight: 1, Home: -1e6, End: 1e6 }[e.key];
    if (!page.isConnected) return goes.abort();
    if (!by || !line.length || e.ctrlKey || e.metaKey || e.altKey || e.target.closest("input, dialog, .touch")) return undefined;
    e.preventDefault();
    return step(at + by);
  }, { signal: goes.signal });
  if (rests || !(await show(first, frames.length - 1, 600, own))) return;
  const mine = runs;
  if (back) await pause(1200);
  if (runs === mine) stop(home);
}

const met = new Set(); // pieces of games that were told of

// meet tells about a chosen piece: one that can move in a game, if it is strange and chosen for the first time there
// or in a game where pieces lend powers.
export async function meet(game, square, get, moves) {
  const name = game.dataset.game + game.querySelector(`.touch [data-square="${square}"]`).ariaLabel.replace(square, "");
  if (moves && met.has(name) && !("lends" in game.dataset)) return;
  const { page } = await get(game.dataset.after + square + location.search);
  if (!game.isConnected || game.querySelector("[aria-selected]")?.dataset.square !== square) return; // by now another is chosen, or it has moved
  const { dataset, firstElementChild: does } = page.querySelector("main");
  met.add(name);
  if (moves && "plain" in dataset) return;
  const table = new Table(game.querySelector(".board"));
  if (!("mine" in table.squares.get(square).dataset)) for (const to of dataset.goes.split(" ").filter(Boolean)) sign(table, to, table.on(to).length ? "kills" : "goes");
  if ("over" in game.dataset && !game.querySelector(".review")) return; // no place is left for words
  const told = document.createElement("div");
  told.id = "met";
  told.className = "card told";
  told.append(does);
  told.onclick = () => told.remove();
  const notes = document.getElementById("notes");
  if (game.matches(".study") ? notes.querySelector(".wrong") : !game.querySelector("#act .done")) notes.replaceChildren(); // refusals are past, a hint is not
  notes.prepend(told);
  if (game.matches(".study")) stayInView(told);
  document.getElementById("heard").textContent = told.textContent;
}

// stayInView lays what is told of a piece over what was read, if the buttons would cover it below the board, or an
// answer be pushed away.
function stayInView(met) {
  const [seen, bar, header, task] = [met, ...["#act", "header", "main h1"].map((of) => document.querySelector(of))].map((of) => of.getBoundingClientRect());
  if (seen.bottom <= bar.top && !document.querySelector("#met + .told")) return;
  met.classList.add("over");
  met.style.top = `${Math.max(0, header.bottom, task.top - met.offsetHeight)}px`;
}

// begin makes the board of a lesson on another page touchable: its first move leads to the lesson.
export async function begin(lesson, get, send) {
  const { href } = lesson.querySelector("a");
  const there = (await get(href)).page.querySelector(".study");
  Object.assign(lesson.dataset, there.dataset);
  lesson.querySelector(".picture").replaceWith(document.adoptNode(there.querySelector(".board")));
  for (const part of [".then", "#chooser"]) lesson.append(document.adoptNode(there.querySelector(part)));
  touch(lesson, { confirm: () => false, look() {}, why() {}, explain: null, play: ({ Move }) => send(href, new URLSearchParams({ press: lesson.dataset.press.replace("{move}", Move) })) });
}
