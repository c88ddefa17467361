// Signs in with what stands behind the # of the address, which is nobody else's business, and takes it
// away from there.

const shown = location.hash.slice(1);
history.replaceState(null, "", location.pathname + location.search);

if (shown) {
  const form = document.getElementById("sign");
  form.elements.link.value = shown;
  const rest = new URLSearchParams(shown);
  if (rest.has("tgWebAppData")) {
    rest.delete("tgWebAppData");
    form.action += `#${rest}`; // the page to which this leads has the rest (telegram.js)
  }
  form.submit(); // the browser goes on to another page, and this one's address is forgotten
}
