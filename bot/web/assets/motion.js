// Animates moves: pieces slide, merge, split, fire and fall. Effects are words such as "moved e2 e4". People who want
// reduced motion only see the boards.

const SVG = "http://www.w3.org/2000/svg";
const still = matchMedia("(prefers-reduced-motion: reduce)");
const slideTime = 150;
const ease = "cubic-bezier(.2, .8, .2, 1)";

// draw adds an element to a drawing.
export function draw(parent, name, attributes) {
  const e = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  parent.append(e);
  return e;
}

// Table is a board and its squares.
export class Table {
  constructor(board) {
    this.board = board;
    this.squares = new Map([...board.querySelectorAll("[data-square]")].map((r) => [r.dataset.square, r]));
  }

  // picture is the drawing, which is replaced at each change.
  get picture() {
    return this.board.querySelector(":scope > svg");
  }

  get pieces() {
    return this.picture.querySelector(".pieces") ?? draw(this.picture, "g", { class: "pieces" });
  }

  // marks are below the pieces.
  get marks() {
    const there = this.picture.querySelector(".chosen");
    if (there) return there;
    const marks = draw(this.picture, "g", { class: "chosen", "aria-hidden": "true" });
    this.picture.insertBefore(marks, this.pieces);
    return marks;
  }

  // at is the place of a square in the drawing.
  at(square) {
    const r = this.squares.get(square);
    const [x, y, side] = ["x", "y", "width"].map((of) => Number(r.getAttribute(of)));
    return { x, y, side };
  }

  // on are the drawings of the piece on a square.
  on(square) {
    const { x, y } = this.at(square);
    return [...this.pieces.querySelectorAll("use")].filter((u) => Number(u.getAttribute("x")) === x && Number(u.getAttribute("y")) === y);
  }

  // grows are the drawings of the piece on a square, to be scaled about its middle.
  grows(square) {
    const { x, y, side } = this.at(square);
    const all = this.on(square);
    for (const e of all) e.style.transformOrigin = `${x + side / 2}px ${y + side / 2}px`; // browsers differ in what is the box of a use element
    return all;
  }

  // way are the animation frames of a piece that moves over squares.
  way(squares) {
    const from = this.at(squares[0]);
    return squares.map((s) => ({ transform: `translate(${this.at(s).x - from.x}px, ${this.at(s).y - from.y}px)` }));
  }
}

const all = (played) => Promise.all(played.filter(Boolean).map((a) => a.finished.catch(() => {})));

// leave animates effects on the old board, which stays so until the next one is put in its place.
export function leave(table, does) {
  if (still.matches) return Promise.resolve();
  const played = [];
  const play = (e, frames, options) => played.push(e.animate(frames, { fill: "both", easing: ease, ...options }));
  const fall = (square, delay) => {
    for (const e of table.grows(square)) play(e, [{}, { transform: "scale(.3) rotate(20deg)", opacity: 0 }], { duration: 180, delay });
  };
  for (const [kind, ...squares] of does.map((d) => d.split(" "))) {
    const [from, to] = [squares[0], squares[1]];
    if (squares.some((s) => !table.squares.has(s))) continue;
    switch (kind) {
      case "moved":
      case "castled":
      case "merged":
        for (const e of table.on(from)) {
          table.pieces.append(e); // above what it passes
          play(e, table.way(squares), { duration: Math.max(slideTime, 60 * (squares.length - 1)) });
        }
        break;
      case "captured":
      case "absorbed":
      case "born":
        fall(to, slideTime * 0.6);
        break;
      case "shot": {
        const [a, z] = [table.at(from), table.at(to)];
        const half = a.side / 2;
        const shot = draw(table.picture, "line", { class: "shot", x1: a.x + half, y1: a.y + half, x2: z.x + half, y2: z.y + half });
        play(shot, [{ opacity: 0 }, { opacity: 1, offset: 0.3 }, { opacity: 0 }], { duration: 220 });
        fall(to, 110);
        break;
      }
      case "annihilated":
        for (const e of [...table.grows(from), ...table.grows(to)]) play(e, [{}, { transform: "scale(1.15)", offset: 0.3 }, { transform: "scale(0) rotate(135deg)" }], { duration: 500 });
        break;
      case "parted":
        for (const e of table.grows(from)) play(e, [{}, { transform: "scaleX(1.18)" }, {}], { duration: 120 });
    }
  }
  return all(played);
}

// arrive animates the results of effects on the next board.
export function arrive(table, does) {
  if (still.matches) return Promise.resolve();
  const played = [];
  const pop = (square, frames, duration) => {
    for (const e of table.grows(square)) played.push(e.animate(frames, { duration, easing: ease }));
  };
  const ring = (square) => {
    const { x, y, side } = table.at(square);
    const e = draw(table.picture, "circle", { class: "ring", cx: x + side / 2, cy: y + side / 2, r: side * 0.45 });
    const a = e.animate([{ opacity: 1, transform: "scale(.7)" }, { opacity: 0, transform: "scale(1.2)" }], { duration: 320 });
    a.finished.finally(() => e.remove());
    played.push(a);
  };
  for (const [kind, ...squares] of does.map((d) => d.split(" "))) {
    const to = squares.at(-1);
    if (squares.some((s) => !table.squares.has(s))) continue;
    switch (kind) {
      case "merged":
      case "absorbed":
      case "promoted":
        pop(to, [{ transform: "scale(.86)" }, { transform: "scale(1.08)", offset: 0.6 }, {}], 160);
        ring(to);
        break;
      case "born":
        pop(to, [{ transform: "scaleX(.1)" }, { transform: "scaleX(1.06)", offset: 0.75 }, {}], 400);
        ring(to);
        break;
      case "parted":
        for (const e of table.on(to)) played.push(e.animate(table.way([to, squares[0]]).reverse(), { duration: 160, easing: ease }));
    }
  }
  return all(played);
}

// sounds reports whether sounds are on: by default, not on phones.
export const sounds = () => (localStorage.sounds ?? (matchMedia("(pointer: coarse)").matches ? "no" : "yes")) === "yes";

// sound plays the sound of effects.
export const sound = (...what) => sounds() && import("./sound.js").then(({ play }) => play(...what)).catch(() => {}); // without a network, there is none
