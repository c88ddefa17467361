// A board that is touched: a piece is chosen, then where it goes, by taps, by a drag, or by keys. The
// legal moves come with the page.

const SVG = "http://www.w3.org/2000/svg";

function draw(parent, name, attributes) {
  const e = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  parent.append(e);
  return e;
}

// mark shows on a square what a move to there does.
function mark(marks, rect, kind) {
  const side = Number(rect.getAttribute("width"));
  const x = Number(rect.getAttribute("x")) + side / 2;
  const y = Number(rect.getAttribute("y")) + side / 2;
  if (kind === "goes") {
    draw(marks, "circle", { class: kind, cx: x, cy: y, r: side * 0.14 });
    return;
  }
  draw(marks, "circle", { class: kind, cx: x, cy: y, r: side * 0.42 });
  const at = { x: x + side * 0.33, y: y - side * 0.33, r: side * 0.1 };
  if (kind === "joins") draw(marks, "path", { class: kind, d: `M${at.x - at.r} ${at.y}h${2 * at.r}M${at.x} ${at.y - at.r}v${2 * at.r}` });
  if (kind === "parts") draw(marks, "path", { class: kind, d: `M${at.x - at.r} ${at.y}h${2 * at.r}` });
}

// touch lets moves be chosen on the board of a game: confirm is what says whether each is asked for first.
// Play plays one, look is told which piece is chosen, and where pieces are explained, explain does.
export function touch(game, { confirm, play, look, explain }) {
  const choices = JSON.parse(game.dataset.choices || "null") ?? [];
  const board = game.querySelector(".touch");
  const marks = board.querySelector(".marks");
  const chooser = document.getElementById("chooser");
  const rects = [...board.querySelectorAll("rect")];
  const on = (square) => rects.find((r) => r.dataset.square === square);
  const from = (square) => choices.filter((c) => c.From === square);
  const mine = new Set(choices.map((c) => c.From));
  let chosen = null;
  let drag = null;

  for (const r of rects) if (mine.has(r.dataset.square)) r.dataset.mine = "";
  (on([...mine][0]) ?? rects[0]).tabIndex = 0;

  function choose(square) {
    if (chosen) on(chosen).removeAttribute("aria-selected");
    marks.replaceChildren();
    chosen = square;
    look(square);
    if (!square) return;
    on(square).setAttribute("aria-selected", "true");
    for (const to of new Set(from(square).map((c) => c.To))) {
      mark(marks, on(to), from(square).find((c) => c.To === to).Kind || "kills");
    }
  }

  function go(to) {
    const moves = from(chosen).filter((c) => c.To === to);
    if (moves.length === 1 && !confirm()) {
      choose(null);
      return play(moves[0].Move);
    }
    ask(moves);
  }

  function ask(moves) {
    const list = chooser.querySelector("ul");
    list.replaceChildren();
    for (const m of moves) {
      const button = document.createElement("button");
      button.value = m.Move;
      const picture = document.createElement("img");
      picture.src = `${location.pathname}/after/${encodeURIComponent(m.Move)}${location.search}`;
      picture.alt = "";
      picture.loading = "lazy";
      const words = document.createElement("span");
      const text = document.createElement("b");
      text.textContent = m.Text;
      words.append(text, document.createElement("br"), m.Tells);
      button.append(picture, words);
      button.onclick = () => chooser.close(m.Move);
      const item = document.createElement("li");
      item.append(button);
      list.append(item);
    }
    chooser.querySelector(":scope > button").onclick = () => chooser.close("");
    chooser.returnValue = "";
    chooser.onclose = () => {
      choose(null);
      if (chooser.returnValue) play(chooser.returnValue);
    };
    chooser.showModal();
  }

  function tap(square) {
    if (explain) return explain(square);
    if (chosen && from(chosen).some((c) => c.To === square)) return go(square);
    choose(square !== chosen && mine.has(square) ? square : null);
  }

  // ghost is the piece on a square, to be carried.
  function ghost(rect) {
    const e = document.createElement("div");
    const box = rect.getBoundingClientRect();
    e.className = "ghost";
    e.style.width = `${box.width * 1.2}px`;
    e.style.height = `${box.height * 1.2}px`;
    const side = rect.getAttribute("width");
    const picture = draw(e, "svg", { viewBox: `${rect.getAttribute("x")} ${rect.getAttribute("y")} ${side} ${side}` });
    const pieces = game.querySelector(".board > svg .pieces");
    if (pieces) picture.append(pieces.cloneNode(true));
    document.body.append(e);
    return e;
  }

  const under = (e) => document.elementsFromPoint(e.clientX, e.clientY).find((r) => r.dataset?.square && board.contains(r));

  board.addEventListener("pointerdown", (e) => {
    const rect = e.target.closest("[data-square]");
    if (!rect || e.button) return;
    drag = { square: rect.dataset.square, x: e.clientX, y: e.clientY, ghost: null };
    if (mine.has(drag.square) && !explain) board.setPointerCapture(e.pointerId);
  });
  board.addEventListener("pointermove", (e) => {
    if (!drag || explain || !mine.has(drag.square)) return;
    if (!drag.ghost && Math.hypot(e.clientX - drag.x, e.clientY - drag.y) < 8) return;
    if (!drag.ghost) {
      if (chosen !== drag.square) choose(drag.square);
      drag.ghost = ghost(on(drag.square));
    }
    const { offsetWidth, offsetHeight } = drag.ghost;
    drag.ghost.style.left = `${e.clientX - offsetWidth / 2}px`;
    drag.ghost.style.top = `${e.clientY - offsetHeight / 2}px`;
  });
  board.addEventListener("pointerup", (e) => {
    if (!drag) return;
    const { square, ghost: carried } = drag;
    drag = null;
    carried?.remove();
    const at = under(e)?.dataset.square;
    if (!carried) return at === square ? tap(square) : undefined;
    if (at && from(square).some((c) => c.To === at)) return go(at);
    if (at !== square) choose(null);
  });
  board.addEventListener("touchend", (e) => e.preventDefault()); // no click follows, on a chooser that opens below the finger
  board.addEventListener("pointercancel", () => {
    drag?.ghost?.remove();
    drag = null;
  });

  board.addEventListener("keydown", (e) => {
    const rect = e.target.closest("[data-square]");
    if (!rect) return;
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
    if (steps) {
      e.preventDefault();
      return step(rect, steps);
    }
    if (e.key === "Escape") choose(null);
    if (e.key !== "Enter" && e.key !== " ") return;
    e.preventDefault();
    tap(rect.dataset.square);
  });

  // step leads to the nearest square in a direction, over holes.
  function step(rect, [dx, dy]) {
    const at = (r) => [Number(r.getAttribute("x")), Number(r.getAttribute("y"))];
    const [x, y] = at(rect);
    const ahead = rects.filter((r) => {
      const [rx, ry] = at(r);
      return dx ? ry === y && Math.sign(rx - x) === dx : rx === x && Math.sign(ry - y) === dy;
    });
    const far = (r) => Math.abs(at(r)[0] - x) + Math.abs(at(r)[1] - y);
    const next = ahead.sort((a, b) => far(a) - far(b))[0];
    if (!next) return;
    rect.tabIndex = -1;
    next.tabIndex = 0;
    next.focus();
  }
}
