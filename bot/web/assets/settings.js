// Saves a setting as soon as it is chosen, and shows that beside it.

export async function save(field, get) {
  const { form, name, value } = field;
  const { saved, zone } = form.dataset;
  const said = beside(field, "");
  setTimeout(() => said.textContent === saved && said.remove(), 4000);
  if (!name) return (said.textContent = saved); // only this browser keeps it
  const values = new FormData(form).getAll(name).map((value) => [name, value]);
  const { page } = await get(form.action, { method: "POST", body: new URLSearchParams(values) });
  if (name === "language") { // the whole page changes
    sessionStorage.saved = name;
    return location.reload();
  }
  said.textContent = page.getElementById("notes").textContent.trim() || saved;
  if (name === "timezone" && said.textContent !== saved) said.textContent = zone.replace("{value}", value);
  field.setAttribute("aria-invalid", said.textContent !== saved);
  if (name === "look") document.documentElement.dataset.look = value;
  if (["pieces", "coords"].includes(name)) {
    for (const [i, as] of page.querySelectorAll(".themes img").entries()) document.querySelectorAll(".themes img")[i].replaceWith(as);
  }
  if (name === "name" || name === "timezone") field.value = page.getElementById(field.id).value; // a city becomes its zone
}

// beside shows a text beside a setting.
function beside(field, text) {
  const said = field.closest(".choice").querySelector("output") ?? document.createElement("output");
  field.closest(".choice").append(said);
  said.textContent = text;
  return said;
}

// speak changes the language of the pages without leaving the page.
export async function speak(form, by) {
  await fetch(form.action, { method: "POST", body: new URLSearchParams(new FormData(form, by)), redirect: "manual" });
  location.reload();
}

function take(field, value) {
  field.value = value;
  field.dispatchEvent(new Event("change", { bubbles: true }));
}

// offer offers all time zones, the browser's first.
export function offer(settings) {
  if (sessionStorage.saved) beside(settings.elements[sessionStorage.saved], settings.dataset.saved);
  delete sessionStorage.saved;
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const field = settings.elements.timezone;
  const button = settings.querySelector("[data-own]");
  field.list.replaceChildren(...[own, ...Intl.supportedValuesOf("timeZone")].map((zone) => new Option(zone)));
  field.onfocus = () => ([field.placeholder, field.value] = [field.value, ""]); // or browsers would only offer similar ones
  field.onblur = () => (field.value ||= field.placeholder);
  button.textContent = `${button.dataset.own} ${own}`;
  const differs = () => (button.hidden = (field.value || field.placeholder) === own);
  field.addEventListener("change", differs);
  differs();
  button.onclick = () => take(field, own);
  settings.onsubmit = (e) => e.preventDefault(); // Enter has already saved what was typed
}
