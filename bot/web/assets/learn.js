// Shows on the board of an exercise the moves that were made there, and then the board as it is.

import { arrive, leave, sound, Table } from "./motion.js";

const pause = (time) => new Promise((go) => setTimeout(go, time));

// film shows the moves that come with a page, one after the other, until somebody touches its board.
export async function film(page) {
  const frames = [...page.querySelectorAll("template[data-does]")];
  if (!frames.length) return;
  const board = page.querySelector(".board");
  const now = () => board.querySelector(":scope > svg");
  const end = now();
  const shows = new AbortController();
  const stop = () => {
    shows.abort();
    now().replaceWith(end);
  };
  for (const kind of ["pointerdown", "keydown"]) board.addEventListener(kind, stop, { capture: true, signal: shows.signal });
  if (!("own" in page.dataset)) end.replaceWith(end.cloneNode(true)); // whose pieces move
  for (const [i, frame] of frames.entries()) {
    const does = JSON.parse(frame.dataset.does) ?? [];
    if (i || !("own" in page.dataset)) {
      await pause(i ? 1000 : 600);
      if (!shows.signal.aborted) await leave(new Table(board), does);
    }
    if (shows.signal.aborted) return;
    now().replaceWith(frame.content.firstElementChild);
    sound(does, {});
    arrive(new Table(board), does);
  }
  if ("back" in page.dataset) await pause(1200);
  if (!shows.signal.aborted) stop();
}

// meet tells of a piece that is chosen.
export async function meet(game, square, get) {
  const { page } = await get(game.dataset.after + square + location.search);
  if (!game.isConnected || game.querySelector("[aria-selected]")?.dataset.square !== square) return; // another is chosen by now, or it has moved
  const met = document.createElement("div");
  met.id = "met";
  met.className = "card told";
  const name = document.createElement("b");
  name.textContent = page.querySelector("h1").textContent;
  met.append(name, page.querySelector(".piece > p"));
  document.getElementById("notes").prepend(met);
  document.getElementById("heard").textContent = met.textContent;
}
