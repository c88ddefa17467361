// Talks to Discord, which shows the pages in a frame: Discord tells who opens them, and who else is there.

const begun = new URLSearchParams(location.search);
if (begun.has("frame_id")) sessionStorage.setItem("discord", begun);
const given = new URLSearchParams(sessionStorage.getItem("discord") ?? "");

const peer = parent.opener ?? parent;
const origins = new Set([location.origin]);
for (const at of ["", "ptb.", "canary."]) for (const host of ["discord", "discordapp"]) origins.add(`https://${at}${host}.com`);
const [handshake, frame] = [0, 1]; // kinds of messages
const asked = new Map();
const hears = new Map();
let target = "*"; // until Discord's answer shows its origin
let shaken;
const ready = new Promise((yes) => { shaken = yes; });

addEventListener("message", ({ source, origin, data }) => {
  if (source !== peer || !origins.has(origin) || !Array.isArray(data) || data[0] !== frame) return;
  const { evt, nonce, data: said } = data[1];
  if (evt === "READY") {
    target = origin;
    shaken();
  }
  const { yes, no } = asked.get(nonce) ?? {};
  asked.delete(nonce);
  if (evt === "ERROR") no?.(new Error(said.message));
  else if (yes) yes(said);
  else hears.get(evt)?.(said);
});

async function ask(cmd, args, evt) {
  await ready;
  const nonce = crypto.randomUUID();
  peer.postMessage([frame, { cmd, args, evt, nonce }], target);
  return new Promise((yes, no) => { asked.set(nonce, { yes, no }); });
}

// signIn asks Discord for a code with which the bot learns who this is.
async function signIn(form) {
  const args = { client_id: form.dataset.client, response_type: "code", scope: ["identify"], prompt: "none" };
  const { code } = await ask("AUTHORIZE", args);
  form.elements.link.value = new URLSearchParams({ discord_code: code, instance: given.get("instance_id"), game: given.get("custom_id") ?? "" });
  form.submit();
}

// tell shows who else is here.
function tell({ participants }) {
  const here = document.getElementById("here");
  const names = participants.map((who) => who.nickname ?? who.global_name ?? who.username);
  here.textContent = here.dataset.here.replace("{names}", new Intl.ListFormat(document.documentElement.lang).format(names));
  here.hidden = names.length < 2;
}

document.addEventListener("click", (e) => {
  const link = e.target.closest?.("a[href]");
  if (!link || link.origin === location.origin) return;
  e.preventDefault(); // only Discord can open other sites
  ask("OPEN_EXTERNAL_LINK", { url: link.href });
});

const form = document.getElementById("sign");
const client = form?.dataset.client ?? sessionStorage.getItem("client");
sessionStorage.setItem("client", client);
peer.postMessage([handshake, { v: 1, encoding: "json", client_id: client, frame_id: given.get("frame_id") }], target);
if (form) {
  form.addEventListener("submit", (e) => {
    e.preventDefault();
    e.stopPropagation();
    signIn(form);
  });
  if (!document.querySelector("#notes article")) signIn(form); // after a refusal, a press tries again
} else {
  hears.set("ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE", tell);
  ask("SUBSCRIBE", undefined, "ACTIVITY_INSTANCE_PARTICIPANTS_UPDATE");
  ask("GET_ACTIVITY_INSTANCE_CONNECTED_PARTICIPANTS").then(tell);
  if (given.get("platform") === "mobile") ask("SET_ORIENTATION_LOCK_STATE", { lock_state: 1 });
}
