// Hands a game on: by what the phone has for that, or as an address that is copied.

// share hands on the game at an address, with its picture where the phone takes one.
export async function share({ share: address, title }) {
  const url = new URL(address, location).href;
  const picture = await (await fetch(document.querySelector("#share img").src)).blob();
  const files = [new File([picture], "chimera.png", { type: picture.type })];
  const told = navigator.canShare?.({ files }) ? { title, url, files } : { title, url };
  await navigator.share(told).catch(() => {}); // they have thought better of it
}

// copy copies where a link leads, or hands on the text of a button, and says so on it.
export async function copy(link) {
  let { text } = link.dataset;
  if (text && navigator.canShare?.({ text })) return navigator.share({ text }).catch(() => {}); // they have thought better of it
  text ??= link.hasAttribute("download") ? await (await fetch(link.href)).text() : link.href;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    document.getElementById("copied")?.remove();
    const field = Object.assign(document.createElement("textarea"), { id: "copied", readOnly: true, rows: 3, ariaLabel: link.textContent, value: text });
    (link.closest(".buttons") ?? link).after(field);
    field.select(); // from where it can be copied
    return "";
  }
  return told(link, link.dataset.copy);
}

// told says on a button for a moment what it has done, instead of what it does.
export function told(link, done) {
  const says = link.querySelector("small") ?? link;
  const before = (link.dataset.before ??= says.textContent);
  says.textContent = done;
  setTimeout(() => (says.textContent = before), 2000);
  return done;
}
