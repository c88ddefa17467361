// Signs in with the fragment of the address, and removes it from the address at once, as it is secret.

const shown = location.hash.slice(1);
history.replaceState(null, "", location.pathname + location.search);

if (shown) {
  const form = document.getElementById("sign");
  form.elements.link.value = shown;
  const rest = new URLSearchParams(shown);
  if (rest.has("tgWebAppData")) {
    rest.delete("tgWebAppData");
    form.action += `#${rest}`; // the next page needs the rest (telegram.js)
  }
  form.submit(); // not by fetch, so that the browser leaves this page
}
