// A board that can be touched: people choose a piece and then its target, by taps, by a drag, or by keys. The legal
// moves come with the page.

import { draw, Table } from "./motion.js";

const known = new Set(); // kinds of moves that have been played here, so that their rings need no words

// choice reads a legal move from its line.
function choice(text) {
  const [Move, Kind, Does, Text, Tells = ""] = text.split("|");
  const blasts = Does.includes("annihilated ");
  const [, From, To] = /^([a-z]\d+)(?:\+[a-z]\d+)?[^a-z]*([a-z]\d+)/.exec(Move);
  const Kills = [...Move.matchAll(/x([a-z]\d+)/g)].map((kill) => kill[1]);
  const shoots = From === To && Kills.length === 1; // where it stands
  const joins = Does.includes("born "); // the captured piece stays, as a part
  return { Move, Kind: shoots ? "shoots" : joins ? "joins" : Kind || (blasts ? "kills" : "goes"), Does: Does ? Does.split(",") : [`moved ${From} ${To}`], Text, Tells, From, To: shoots ? Kills[0] : To, Kills };
}

// sign draws on a square what a move to it does.
export function sign(table, square, kind) {
  const { x, y, side } = table.at(square);
  const [cx, cy] = [x + side / 2, y + side / 2];
  if (kind === "goes") return draw(table.marks, "circle", { class: kind, cx, cy, r: side * 0.14 });
  if (kind === "kills") {
    const r = side * 0.46;
    draw(table.marks, "path", { class: kind, d: `M${x} ${y}h${side}v${side}h${-side}ZM${cx - r} ${cy}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z` });
    return draw(table.marks, "circle", { class: "rim", cx, cy, r });
  }
  draw(table.marks, "circle", { class: "rim", cx, cy, r: side * 0.42 });
  if (kind === "shoots") draw(table.marks, "path", { class: kind, d: `M${cx} ${y}v${side}M${x} ${cy}h${side}` });
  return draw(table.marks, "circle", { class: kind, cx, cy, r: side * 0.42 });
}

// touch lets people choose moves on the board of a page. confirm tells whether to ask before each move, play plays one,
// look is told which piece is chosen and whether it can move, why asks what is wrong with a move, or just returns that if
// briefly, and explain, if not null, explains a piece instead.
export function touch(page, { confirm, play, look, why, explain }) {
  const choices = page.dataset.choices.trim().split("\n").filter(Boolean).map(choice);
  const board = page.querySelector(".touch");
  const table = new Table(page.querySelector(".board"));
  const chooser = document.getElementById("chooser");
  const then = page.querySelector(".then");
  const rects = [...table.squares.values()];
  const named = new Map(rects.map((r) => [r, r.getAttribute("aria-label")]));
  const mine = new Set(choices.map((c) => c.From));
  const sides = (square) => [...new Set(table.on(square).map((piece) => piece.getAttribute("href").slice(1, 6)))]; // white or black, or both
  const side = (square) => sides(square)[0];
  const own = (square) => [...mine].some((other) => side(other) === side(square)); // also a piece that cannot move
  let chosen = mine.has(page.dataset.explains) ? page.dataset.explains : null; // an explained piece can also move, to an empty square
  let wrong = null; // where it was last refused to go
  let left = []; // squares of which a tap chooses one, to decide between several moves
  let question = ""; // which of them is asked for
  let form = ""; // its wording, before squares are named
  let trail = []; // the chosen piece's square and those tapped since
  let walks = false; // whether it may go step by step
  let drag = null;

  const on = (square) => table.squares.get(square);
  const from = (square) => choices.filter((c) => c.From === square);
  const victims = (move) => (move.Kind === "kills" ? [move.To, ...move.Kills] : move.Kills);
  const takes = (move) => (move.Does.some((d) => d.startsWith("shot ")) ? "shoots" : "kills"); // what it does on its way
  const far = (one, other) => [0, 1].map((i) => Math.abs(one.charCodeAt(i) - other.charCodeAt(i)));
  const apart = (one, other) => far(one, other)[0] + far(one, other)[1]; // in steps
  const beside = (one, other) => apart(one, other) === 1;
  const way = (move) => move.Does.find((d) => d.startsWith("moved "))?.split(" ").slice(2) ?? [];
  const steps = (move) => way(move).length > 2 && way(move).every((square, i, all) => !i || beside(square, all[i - 1])); // not a slide

  // ways are the moves of a piece to a square, and those that capture an enemy there on their way: if it can also capture
  // there by going or from where it stands, only if it may rather shoot, or go on.
  function ways(piece, to) {
    const [ends, passes] = [from(piece).filter((c) => c.To === to), from(piece).filter((c) => c.To !== to && c.Kills.includes(to))];
    const more = !ends.length || passes.some((c) => (victims(c).length > 1 && steps(c)) || (takes(c) === "shoots" && ends[0].Kind !== "goes"));
    return side(to) !== side(piece) && more ? [...ends, ...passes] : ends;
  }

  // flies reports whether a move that captures, after a flight, can land on an empty square: where it could shoot its one
  // victim beside that, or at or beside the beginning of the way that it comes with.
  function flies(move, square) {
    const [first, next] = way(move);
    const stands = (c) => c.To === square && c.From !== square;
    if (way(move).length > 3) return steps(move) && victims(move).length > 1 && (square === first || (beside(square, next) && from(move.From).some((c) => stands(c) && c.Kind === "goes" && !c.Kills.length)));
    return way(move).length < 2 && move.Kind === "kills" && Math.max(...far(square, move.To)) === 1 && from(move.From).some((c) => stands(c) && c.Kills[0] === move.To && takes(c) === "shoots");
  }

  for (const r of rects) if (mine.has(r.dataset.square)) r.dataset.mine = "";
  (on([...mine][mine.size >> 1]) ?? rects[0]).tabIndex = 0; // keys begin in the midst of the movable pieces

  // mark shows on a square what a move to it does.
  function mark(square, kind) {
    on(square).dataset.to = kind;
    on(square).setAttribute("aria-label", `${named.get(on(square))}, ${board.dataset[kind] ?? board.dataset.kills}`);
    sign(table, square, kind);
  }

  function clear() {
    table.marks.replaceChildren();
    left = [];
    walks = false;
    then.hidden = true;
    for (const piece of table.pieces.querySelectorAll(".away")) piece.classList.remove("away");
    for (const r of rects) {
      if (r.dataset.to) r.setAttribute("aria-label", named.get(r));
      delete r.dataset.to;
      delete r.dataset.move;
    }
  }

  function tint(square, name) {
    const { x, y, side } = table.at(square);
    table.marks.prepend(draw(table.marks, "rect", { class: name, x, y, width: side, height: side }));
  }

  const light = (moves) => new Set(moves.flatMap((m) => [m.To, ...m.Kills])).forEach((square) => tint(square, "lit"));

  // past reports whether all of several moves have captured on a square before the last tap.
  const past = (moves, taps, square) => taps.slice(0, -1).includes(square) && moves.every((m) => victims(m).includes(square));

  // pend draws the chosen piece where several moves lead that are to choose from, or else where it comes along last, and
  // takes off what it has captured before.
  function pend(moves, taps) {
    const goes = (to) => moves.every((m) => (m.To === to ? ["goes", "kills"].includes(m.Kind) : m.Does.includes(`captured ${m.From} ${to}`) || flies(m, to)));
    const to = [moves[0].To, ...taps.toReversed()].find((at, i) => (i || moves.every((m) => m.To === at)) && goes(at));
    if (!to) return; // then only a part of the piece goes there, or none
    const there = table.at(to);
    const pieces = table.on(chosen).map((piece) => piece.cloneNode());
    for (const piece of [to, chosen, ...taps.filter((at) => at !== to && past(moves, taps, at))].flatMap((at) => table.on(at))) piece.classList.add("away");
    for (const piece of pieces) {
      for (const of of ["x", "y"]) piece.setAttribute(of, there[of]);
      piece.classList.add("sent");
      table.marks.append(piece);
    }
  }

  function choose(square) {
    if (chosen) on(chosen).removeAttribute("aria-selected");
    clear();
    chosen = square;
    trail = [square];
    wrong = null;
    look(square, mine.has(square));
    if (!square) return;
    on(square).setAttribute("aria-selected", "true");
    for (const to of new Set(from(square).flatMap((c) => [c.To, ...c.Kills]))) {
      for (const kind of new Set(ways(square, to).map((c) => (c.To === to ? c.Kind : takes(c))))) mark(to, kind);
    }
    tint(square, "here");
    const rings = ["joins", "parts"].filter((kind) => !known.has(kind) && table.marks.querySelector(`.${kind}`));
    if (!rings.length || document.querySelector("#notes > *, .study, .tries")) return;
    then.firstElementChild.innerHTML = rings.map((kind) => `<svg class="chosen" viewBox="-50 -50 100 100"><circle class="${kind}" r="42"/></svg> ${board.dataset[kind]}`).join("<br>");
    then.hidden = false;
  }

  // go plays the move to a square. If there are several, or it may be the first of three steps, the next taps choose
  // further squares of its way.
  function go(to) {
    const ends = ways(chosen, to);
    trail = [chosen, to];
    const first = ends[0] && steps(ends[0]) && ends[0].Kind === "goes" && beside(chosen, to);
    const on = (c) => first && apart(c.To, to) === 2;
    narrow([...ends, ...from(chosen).filter((c) => !ends.includes(c) && (flies(c, to) || on(c)))], [to]);
  }

  // narrow has people tap what a piece captures, in any order, and where it ends, first or last, until one move is left;
  // if no square tells moves apart, it asks for one of them.
  function narrow(moves, taps) {
    const squares = (m) => [...new Set([...victims(m), m.To])];
    const open = (m) => squares(m).filter((square) => !taps.includes(square) && moves.some((o) => !squares(o).includes(square)));
    const ends = moves.filter((m) => !open(m).length);
    const stops = new Set(ends.map((m) => m.To));
    const next = new Set([...stops, ...moves.flatMap((m) => open(m).filter((square, _, all) => all.length === 1 || victims(m).includes(square)))]);
    const last = taps.at(-1);
    const flier = from(chosen).some((m) => apart(m.From, m.To) > 3);
    const walked = trail.length > 2 && (flier || beside(trail[0], trail[1])) && trail.slice(2).every((at, i) => beside(at, trail[i + 1]));
    if (walked && trail.length === (beside(trail[0], trail[1]) ? 4 : 5)) { // three steps, from where it stood or landed
      const exact = moves.filter((m) => m.To === last && victims(m).every((at) => trail.includes(at)));
      if (exact.length === 1 && moves.length > 1) return narrow(exact, taps);
    }
    if (taps.length > 1 && stops.size > 1 && stops.has(last) && next.size === stops.size && !fires(ends, last)) return narrow(ends.filter((m) => m.To === last), taps);
    // Where the way that was tapped leads elsewhere, or a shot was not spoken of, the move is asked about first.
    const strays = walked ? moves[0].To !== last && steps(moves[0]) : trail.length > taps.length + 1;
    const told = taps.length > 1 ? !strays && (![then.dataset.first, then.dataset.more].includes(form) || takes(moves[0]) !== "shoots") : moves[0].To === taps[0] && !moves[0].Tells; // the squares tell all that it does
    if (moves.length === 1 && told && !confirm()) return done(moves[0]);
    if (next.size < 2) return ask(moves);
    const piece = chosen;
    clear();
    for (const square of next) {
      const those = stops.has(square) ? ends.filter((m) => m.To === square) : moves.filter((m) => open(m).includes(square));
      left.push({ square, go: () => narrow(those, [...taps, square]) });
      const end = those.find((m) => m.To === square);
      mark(square, past(moves, taps, square) ? "goes" : end ? end.Kind : takes(those[0]));
      on(square).dataset.move = those.map((m) => m.Move).join(" ");
    }
    pend(moves, taps);
    walks = moves.some(steps);
    question = worded(moves, ends, [...next], taps);
    then.firstElementChild.textContent = question;
    then.hidden = false;
    for (const square of [piece, ...taps]) tint(square, "here");
    return undefined;
  }

  // fires is a move that shoots, from elsewhere, what could also be taken.
  const fires = (ends, last) => ends.find((m) => takes(m) === "shoots" && m.To !== last);

  // worded is the question for one of the next squares: on some a move ends, on others it goes on.
  function worded(moves, ends, next, taps) {
    const { first, more, from, shot, stay, take, also, fire, aim } = then.dataset;
    const [last, stops] = [taps.at(-1), new Set(ends.map((m) => m.To))];
    const fired = fires(ends, last);
    const [end] = fired ? [fired] : ends;
    const leaves = (m) => takes(m) === "shoots" && !taps.includes(m.To);
    const asks = () => {
      if (fired) return stops.has(last) ? take + (next.length > 2 ? also : "") : fire;
      if (!end) return moves.every(leaves) ? from : first;
      if (stops.size > 1) return first;
      if (end.Kind === "shoots") return stay;
      if (end.Kind === "kills" && moves.every((m) => ends.includes(m) || leaves(m))) return aim;
      return next.every((square) => stops.has(square) || on(square).dataset.to === "shoots") ? shot : more;
    };
    form = asks();
    return form.replace("{to}", end?.To).replace("{at}", last);
  }

  function done(move) {
    known.add(move.Kind);
    choose(null);
    play(move);
  }

  // ask shows what each of several moves leads to, and asks for one; for a promotion, beside the pawn's square.
  function ask(moves) {
    clear();
    tint(chosen, "here");
    light(moves);
    pend(moves, []);
    const list = chooser.querySelector("ul");
    list.replaceChildren();
    const becomes = moves.every((m) => m.Does.some((d) => d.startsWith("promoted ")));
    chooser.classList.toggle("becomes", becomes);
    const told = moves.map((m) => m.Tells.split(" "));
    const differs = told[0].findIndex((word, i) => told.some((other) => other[i] !== word));
    for (const [i, m] of moves.entries()) {
      const button = document.createElement("button");
      button.value = m.Move;
      const picture = document.createElement("img");
      picture.src = `${page.dataset.after}${encodeURIComponent(m.Move)}${location.search}#svgView(viewBox(${around(m)}))`;
      picture.alt = "";
      const [says, text] = ["span", "b"].map((tag) => document.createElement(tag));
      text.textContent = moves.length > 1 ? m.Text : chooser.dataset.play.replace("{move}", m.Text);
      button.classList.toggle("first", moves.length === 1);
      if (becomes) says.append(told[i].slice(differs).join(" ").replace(/\.$/, "")); // the piece
      else says.append(text, m.Tells);
      button.append(picture, says);
      if (becomes) button.setAttribute("aria-label", `${text.textContent} ${m.Tells}`);
      button.onclick = () => chooser.close(m.Move);
      const item = document.createElement("li");
      item.append(button);
      list.append(item);
    }
    chooser.querySelector("h2").textContent = moves.length > 1 ? chooser.dataset.several : chooser.dataset.single;
    chooser.querySelector(":scope > button").onclick = () => chooser.close("");
    chooser.onclick = (e) => {
      if (e.target !== chooser) return;
      chooser.close(""); // a press outside the choices, or on a lit square
      const there = moves.filter((m) => [m.To, ...m.Kills].includes(under(e)));
      if (there.length === 1) chooser.returnValue = there[0].Move;
    };
    chooser.returnValue = "";
    chooser.onclose = () => {
      list.replaceChildren(); // or its pictures would be fetched again whenever another page takes it over
      const move = moves.find((m) => m.Move === chooser.returnValue);
      if (move) done(move);
      else choose(null);
    };
    chooser.showModal();
    const { left, top, bottom, width } = on(moves[0].To).getBoundingClientRect();
    const below = top < innerHeight / 2;
    const edge = board.getBoundingClientRect();
    chooser.style.left = becomes ? `${Math.max(edge.left, Math.min(left + width / 2 - chooser.offsetWidth / 2, edge.right - chooser.offsetWidth))}px` : "";
    chooser.style.top = becomes ? `${below ? bottom : top - chooser.offsetHeight}px` : "";
  }

  // around is the part of the board around a move and what it captures, as a view box; for a promotion, its square.
  function around(move) {
    const extent = (squares) => ["x", "y"].map((of) => [Math.min(...squares.map((at) => at[of])), Math.max(...squares.map((at) => at[of] + at.side))]);
    const all = (chooser.className ? [move.To] : [move.From, move.To, ...move.Kills]).map((square) => table.at(square));
    const [ends, edges] = [all, [...table.squares.keys()].map((square) => table.at(square))].map(extent);
    const side = Math.min(...edges.map(([low, high]) => high - low), Math.max(...ends.map(([low, high]) => high - low)) + (all.length > 1 ? all[0].side : 0));
    const corner = ends.map(([low, high], i) => Math.max(edges[i][0], Math.min((low + high - side) / 2, edges[i][1] - side)));
    return [...corner, side, side].join(",");
  }

  function tap(square) {
    const next = left.find((l) => l.square === square);
    const between = walks && beside(square, trail.at(-1)) && !table.on(square).length && left.some((l) => beside(l.square, square)); // steps
    if (next || between) trail.push(square);
    if (next) return next.go();
    if (between) return tint(square, "here", (then.firstElementChild.textContent = question = then.dataset.first));
    if (left.length && !mine.has(square)) return halt(square);
    if (chosen && !left.length && ways(chosen, square).length && !(explain && table.on(square).length)) return go(square);
    if (explain) return (table.on(square).length || !page.dataset.explains) && explain(square);
    const tries = chosen && (own(chosen) || page.querySelector(".tries")); // in What if, a piece whose side is not to move
    if (tries && !left.length && ![chosen, wrong].includes(square) && !mine.has(square) && side(square) !== side(chosen)) return refuse(chosen, (wrong = square));
    return choose((wrong || square !== chosen) && (mine.has(square) || ((mine.size || !page.matches(".study")) && table.on(square).length)) ? square : null);
  }

  // halt says that a move on its way cannot go on to a square, and asks why it cannot go there at all, unless it is to
  // shoot there.
  function halt(square) {
    const [asked, says] = [question, then.firstElementChild];
    const say = (why) => left.length && question === asked && (says.textContent = `${why || then.dataset.not.replace("{at}", square)} ${question}`);
    say();
    if (form !== then.dataset.shot && !ways(chosen, square).length) why(chosen, square, true)?.then(say);
  }

  // refuse asks what is wrong with a move, in the place of what is told of rings.
  function refuse(from, to) {
    then.hidden = true;
    return why(from, to);
  }

  // lift makes a copy of the piece on a square that follows the pointer.
  function lift(square) {
    const rect = on(square);
    const ghost = document.createElement("div");
    const box = rect.getBoundingClientRect();
    ghost.className = "ghost";
    ghost.style.width = `${box.width * 1.35}px`;
    ghost.style.height = `${box.height * 1.35}px`;
    const { x, y, side } = table.at(square);
    const picture = draw(ghost, "svg", { viewBox: `${x} ${y} ${side} ${side}` });
    for (const piece of table.on(square)) {
      picture.append(piece.cloneNode());
      piece.classList.add("carried");
    }
    document.body.append(ghost);
    return ghost;
  }

  function drop() {
    drag?.ghost?.remove();
    for (const piece of table.pieces.querySelectorAll(".carried")) piece.classList.remove("carried");
    table.marks.querySelector(".lit")?.remove();
    drag = null;
  }

  then.querySelector("button").onclick = () => choose(null);

  // A listed move is shown when it is pointed at, and asked for when it is pressed.
  for (const kind of ["pointerover", "focusin", "click"]) {
    page.addEventListener(kind, ({ target }) => {
      const move = target.matches(".move") && choices.find((c) => c.Text === target.textContent);
      if (!move) return;
      choose(move.From);
      light([move]);
      if (kind === "click") ask([move]);
    });
  }

  // A mouse that rests on a square shows its name.
  board.addEventListener("pointerover", (e) => {
    const rect = e.target.closest("[data-square]");
    if (rect) (rect.querySelector("title") ?? draw(rect, "title", {})).textContent = rect.getAttribute("aria-label");
  });

  const under = (e) => document.elementsFromPoint(e.clientX, e.clientY).find((r) => r.dataset?.square && board.contains(r))?.dataset.square;

  // A swipe scrolls the page unless it begins on a piece that can move. No click follows a touch: it would hit a
  // chooser that has opened under the finger.
  board.addEventListener("touchstart", (e) => e.target.closest("[data-mine]") && !explain && e.preventDefault(), { passive: false });
  board.addEventListener("touchend", (e) => e.cancelable && e.preventDefault());
  board.addEventListener("pointerdown", (e) => {
    const rect = e.target.closest("[data-square]");
    if (!rect || e.button) return;
    drag = { square: rect.dataset.square, x: e.clientX, y: e.clientY, ghost: null };
    if (mine.has(drag.square) && !explain && !left.length) board.setPointerCapture(e.pointerId);
  });
  board.addEventListener("pointermove", (e) => {
    if (!drag || explain || left.length || !mine.has(drag.square)) return;
    if (!drag.ghost && Math.hypot(e.clientX - drag.x, e.clientY - drag.y) < 8) return;
    if (!drag.ghost) {
      if (chosen !== drag.square) choose(drag.square);
      drag.ghost = lift(drag.square);
    }
    const { offsetWidth, offsetHeight } = drag.ghost;
    drag.ghost.style.left = `${e.clientX - offsetWidth / 2}px`;
    drag.ghost.style.top = `${e.clientY - offsetHeight * (e.pointerType === "touch" ? 0.8 : 0.5)}px`;
    const at = under(e);
    if (at === drag.over) return;
    drag.over = at;
    table.marks.querySelector(".lit")?.remove();
    if (at && on(at).dataset.to) tint(at, "lit");
  });
  board.addEventListener("pointerup", (e) => {
    if (!drag) return;
    const { square, ghost } = drag;
    drop();
    const at = under(e);
    if (!ghost && at === square) return tap(square);
    if (!ghost && (!at || explain || left.length || !table.on(square).length)) return undefined;
    if (!ghost) return own(square) ? refuse(square, at) : tap(square); // it cannot move
    if (at && ways(square, at).length) return go(at);
    if (at === square) return undefined;
    return at ? refuse(square, at) : choose(null);
  });
  board.addEventListener("pointercancel", drop);

  // Where a mouse presses, the focus does not stay: arrow keys step through the game.
  board.addEventListener("focusin", (e) => drag && e.target.blur());

  board.addEventListener("keydown", (e) => {
    const rect = e.target.closest("[data-square]");
    if (!rect) return;
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[e.key];
    if (steps) {
      e.preventDefault();
      return step(rect, steps);
    }
    if (e.key !== "Enter" && e.key !== " ") return;
    e.preventDefault();
    tap(rect.dataset.square);
  });

  // step moves the focus to the nearest square in a direction, across holes.
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
