// Saves a setting as soon as it is chosen, and says so beside it.

export async function save(field, get) {
  const { form, name, value } = field;
  const said = field.closest(".choice").querySelector("output") ?? document.createElement("output");
  field.closest(".choice").append(said);
  const values = new FormData(form).getAll(name).map((value) => [name, value]);
  const { page } = await get(form.action, { method: "POST", body: new URLSearchParams(values) });
  if (name === "language") return location.replace(location.pathname); // all of the page changes
  const { saved, zone } = form.dataset;
  said.textContent = page.getElementById("notes").textContent.trim() || saved;
  if (name === "timezone" && said.textContent !== saved) said.textContent = zone.replace("{value}", value);
  field.setAttribute("aria-invalid", said.textContent !== saved);
  if (name === "look") document.documentElement.dataset.look = value;
}
