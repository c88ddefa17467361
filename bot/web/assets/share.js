// Passes a game on: with the phone's share menu, or by copying its address.

// share passes on the game at an address, with its picture if the phone accepts one.
export async function share({ share: address, title }) {
  const url = new URL(address, location).href;
  const picture = await (await fetch(document.querySelector("#share img").src)).blob();
  const files = [new File([picture], "chimera.png", { type: picture.type })];
  const told = navigator.canShare?.({ files }) ? { title, url, files } : { title, url };
  await navigator.share(told).catch(() => {}); // they have cancelled it
}

// copy copies a link's address or download, or a button's text, and says so on it; the phone may share a text instead.
export async function copy(link) {
  let { text } = link.dataset;
  if (text && navigator.canShare?.({ text })) return navigator.share({ text }).catch(() => {}); // they have cancelled it
  text ??= link.hasAttribute("download") ? await (await fetch(link.href)).text() : link.href;
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    document.getElementById("copied")?.remove();
    const field = Object.assign(document.createElement("textarea"), { id: "copied", readOnly: true, rows: 3, ariaLabel: link.textContent, value: text });
    (link.closest(".buttons") ?? link).after(field);
    field.select(); // so that it can be copied by hand
    if (!document.execCommand("copy")) return ""; // which also works without TLS
    field.remove();
  }
  return told(link, link.dataset.copy);
}

// told shows on a button for two seconds what it has done.
export function told(link, done) {
  const says = link.querySelector("small") ?? link;
  const before = (link.dataset.before ??= says.textContent);
  says.textContent = done;
  setTimeout(() => (says.textContent = before), 2000);
  return done;
}
