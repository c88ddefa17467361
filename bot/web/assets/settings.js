// Saves a setting as soon as it is chosen, and says so beside it.

export async function save(field, get) {
  const { form, name, value } = field;
  if (name === "language") return form.submit(); // all of the page changes
  const said = field.closest(".choice").querySelector("output") ?? document.createElement("output");
  field.closest(".choice").append(said);
  const values = new FormData(form).getAll(name).map((value) => [name, value]);
  const { page } = await get(form.action, { method: "POST", body: new URLSearchParams(values) });
  const { saved } = form.dataset;
  said.textContent = page.getElementById("notes").textContent.trim() || saved;
  field.setAttribute("aria-invalid", said.textContent !== saved);
  if (name === "look") document.documentElement.dataset.look = value;
}
