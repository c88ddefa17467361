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
    prompt(link.textContent, text); // from where it can be copied
    return "";
  }
  return told(link, link.dataset.copy);
}

// told says on a button for a moment what it has done.
export function told(link, done) {
  const before = (link.dataset.before ??= link.textContent);
  link.textContent = done;
  setTimeout(() => (link.textContent = before), 2000);
  return done;
}
