// Signs in with what stands behind the # of the address, which is nobody else's business, and takes it
// away from there.

const shown = location.hash.slice(1);
history.replaceState(null, "", location.pathname + location.search);

// Telegram shows Mini Apps at half of the screen's height until they ask for more.
function expand() {
  window.TelegramWebviewProxy?.postEvent("web_app_expand", "{}");
  if (parent !== window) parent.postMessage(JSON.stringify({ eventType: "web_app_expand", eventData: {} }), "https://web.telegram.org");
}

if (shown) {
  if (shown.includes("tgWebAppData=")) expand();
  const form = document.getElementById("sign");
  form.elements.link.value = shown;
  form.submit(); // the browser goes on to another page, and this one's address is forgotten
}
