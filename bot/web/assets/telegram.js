// Talks to Telegram, which shows the pages as a Mini App. Its parameters are in the fragment of the first address.
// Events are sent through an object that its apps add to the page, or on the web as messages to the parent page.

const begun = location.hash.slice(1);
if (begun.includes("tgWebAppVersion=")) {
  sessionStorage.setItem("telegram", begun);
  history.replaceState(history.state, "", location.pathname + location.search);
}
const given = new URLSearchParams(sessionStorage.getItem("telegram") ?? "");
const rank = (version) => {
  const [major, minor = 0] = version.split(".").map(Number);
  return 100 * major + minor;
};
const version = rank(given.get("tgWebAppVersion") ?? "6.0");
const home = location.ancestorOrigins?.[0] === location.origin ? location.origin : "https://web.telegram.org";
const hears = new Map();

// post sends an event, if Telegram's version knows it.
function post(eventType, since, eventData = {}) {
  if (version < rank(since)) return;
  const text = JSON.stringify({ eventType, eventData });
  if (window.TelegramWebviewProxy) window.TelegramWebviewProxy.postEvent(eventType, JSON.stringify(eventData));
  else if (window.external?.notify) window.external.notify(text);
  else if (parent !== window) parent.postMessage(text, home);
}

const hear = (type, data) => hears.get(type)?.(data);
window.Telegram = { WebView: { receiveEvent: hear } };
window.TelegramGameProxy = { receiveEvent: hear };
window.TelegramGameProxy_receiveEvent = hear;
addEventListener("message", ({ source, origin, data }) => {
  if (source !== parent || origin !== home || typeof data !== "string") return;
  const { eventType, eventData } = JSON.parse(data);
  hear(eventType, eventData);
});

// dress gives the page the colors of the app around it.
function dress(colors) {
  const { bg_color: ground, secondary_bg_color: paper = ground, section_bg_color: card = ground, text_color: ink, section_separator_color: line } = colors;
  if (!/^#\w{6}$/.test(ground)) return;
  const [r, g, b] = ground.match(/\w\w/g).map((part) => parseInt(part, 16));
  const { style } = document.documentElement;
  style.colorScheme = 3 * r + 6 * g + b < 1280 ? "dark" : "light";
  for (const [name, color] of Object.entries({ paper, card, ink, line })) if (color) style.setProperty(`--${name}`, color);
  post("web_app_set_background_color", "6.1", { color: paper });
  post("web_app_set_header_color", "6.1", { color_key: paper === ground ? "bg_color" : "secondary_bg_color" });
}
hears.set("theme_changed", ({ theme_params: colors }) => {
  given.set("tgWebAppThemeParams", JSON.stringify(colors));
  sessionStorage.setItem("telegram", given);
  dress(colors);
});

hears.set("back_button_pressed", () => (window.navigation?.canGoBack ? history.back() : location.assign("/")));
hears.set("reload_iframe", () => {
  post("iframe_will_reload", "6.0");
  location.reload();
});

// On a full screen, the page keeps clear of the phone's edges, and of Telegram's own buttons within them.
const areas = {};
for (const area of ["safe_area", "content_safe_area"]) {
  hears.set(`${area}_changed`, (insets) => {
    areas[area] = insets;
    const among = (side) => (areas.safe_area?.[side] ?? 0) + (areas.content_safe_area?.[side] ?? 0);
    for (const side of ["top", "right", "bottom", "left"]) document.documentElement.style.setProperty(`--${side}`, `${among(side)}px`);
  });
}
const [full, keep] = ["full", "keep"].map((name) => document.querySelector(`[data-app=${name}]`));
full.hidden = version < rank("8.0");
full.onclick = () => post("web_app_request_fullscreen", "8.0");
keep.onclick = () => post("web_app_add_to_home_screen", "8.0");
hears.set("fullscreen_failed", ({ error }) => error === "ALREADY_FULLSCREEN" && post("web_app_exit_fullscreen", "8.0"));
hears.set("home_screen_checked", ({ status }) => { keep.hidden = status !== "missed" && status !== "unknown"; });
hears.set("home_screen_added", () => { keep.hidden = true; });

// pass passes on the game at an address: as a message that the bot has prepared, or else as a link.
async function pass(game, title) {
  const prepared = version >= rank("8.0") && (await fetch(`${game}/prepared`, { method: "POST" }).catch(() => {}));
  if (prepared?.ok) post("web_app_send_prepared_message", "8.0", { id: await prepared.text() });
  else post("web_app_open_tg_link", "6.1", { path_full: `/share/url?${new URLSearchParams({ url: new URL(game, location), text: title })}` });
}

// Telegram opens links to other sites, and passes games on.
addEventListener("click", (e) => {
  const hands = e.target.closest?.("[data-share], a[href]");
  const { share, title } = hands?.dataset ?? {};
  if (!hands || (!share && hands.origin === location.origin)) return;
  e.preventDefault();
  e.stopPropagation();
  if (share) pass(share, title);
  else if (hands.hostname === "t.me") post("web_app_open_tg_link", "6.1", { path_full: hands.pathname + hands.search });
  else post("web_app_open_link", "6.1", { url: hands.href });
}, true);

// feel makes the phone vibrate at a move.
let seen = {};
function feel() {
  const now = { ...document.getElementById("game")?.dataset };
  for (const hands of document.querySelectorAll("[data-share]")) hands.hidden = false;
  if (now.game && now.game === seen.game && Number(now.ply) > Number(seen.ply)) {
    const kills = ["captured", "shot", "annihilated"].some((kind) => now.does.includes(`"${kind} `));
    const lost = now.side && now.over !== now.side && now.over !== "drawn";
    if ("over" in now) post("web_app_trigger_haptic_feedback", "6.1", { type: "notification", notification_type: lost ? "error" : "success" });
    else post("web_app_trigger_haptic_feedback", "6.1", { type: "impact", impact_style: kills ? "heavy" : "light" });
  }
  seen = now;
}
new MutationObserver(feel).observe(document.body, { childList: true });
feel();

post("iframe_ready", "6.0", { reload_supported: true });
dress(JSON.parse(given.get("tgWebAppThemeParams") ?? "{}"));
post("web_app_ready", "6.0");
post("web_app_expand", "6.0");
post("web_app_request_theme", "6.0");
post("web_app_setup_back_button", "6.1", { is_visible: location.pathname !== "/" });
post("web_app_setup_swipe_behavior", "7.7", { allow_vertical_swipe: !document.querySelector(".touch") }); // a swipe on a board drags a piece
post("web_app_request_safe_area", "8.0");
post("web_app_request_content_safe_area", "8.0");
post("web_app_check_home_screen", "8.0");
