// press makes buttons of listed legal moves.
export function press(game) {
  const texts = new Set(game.dataset.choices.split("\n").map((choice) => choice.split("|")[3]));
  for (const moves of game.querySelectorAll("article code")) {
    const all = moves.textContent.split(" ");
    if (!texts.has(all[0])) continue;
    moves.replaceChildren(...all.map((textContent) => Object.assign(document.createElement("button"), { className: "move", textContent })));
    const { nextSibling: after } = moves;
    if (/^[,.]/.test(after?.data)) after.data = after.data.slice(1); // buttons need none
  }
}
