import type { Fields } from "../../../console/src/parts/phone/bubble-shape.ts";
import { type Child, h } from "../lib/dom.ts";
import { type Choice, formAnswer } from "./choices.ts";

/** Asks for what a list or a form needs. Resolves with the message to send; null: the person closed it. */
export async function ask(choice: Choice): Promise<Fields | null> {
  if (choice.kind === "answer") return choice.answer;
  if (choice.kind === "list") return await askRow(choice);
  return choice.kind === "form" ? await askForm(choice) : null;
}

async function askRow({ text, rows }: Choice & { kind: "list" }): Promise<Fields | null> {
  const sections = [...new Set(rows.map(({ section }) => section))];
  const options = (section: string) =>
    rows.map((row, index) =>
      row.section === section
        ? h(
            "label",
            { class: "option" },
            h("input", { type: "radio", name: "row", value: index, required: true }),
            h("span", {}, row.title, row.description !== null && h("span", { class: "muted small" }, row.description)),
          )
        : null,
    );
  const fields = sections.map((section) =>
    h(
      "fieldset",
      {},
      h("legend", { class: section === "" ? "visually-hidden" : "" }, section || text),
      ...options(section),
    ),
  );
  const entered = await dialog(text, fields);
  return entered === null ? null : (rows[Number(entered.get("row"))]?.answer ?? null);
}

async function askForm({ text, name, example }: Choice & { kind: "form" }): Promise<Fields | null> {
  const area = h("textarea", { name: "response", rows: 6, required: true, spellcheck: "false" });
  area.value = JSON.stringify(example, null, 2);
  area.addEventListener("input", () => area.setCustomValidity(isJson(area.value) ? "" : "This is no JSON."));
  const entered = await dialog(text, [h("label", { class: "field" }, "What the person enters, as JSON", area)]);
  return entered === null ? null : formAnswer(name, area.value);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** A window over the page, until its form is sent or it is closed. */
async function dialog(title: string, content: readonly Child[]): Promise<FormData | null> {
  const form = h("form", { method: "dialog" });
  const window = h("dialog", { "aria-label": title }, form);
  form.append(
    h("h2", {}, title),
    ...content.filter((one): one is Node => one instanceof Node),
    h(
      "p",
      { class: "actions" },
      h("button", { class: "button", type: "button", onclick: () => window.close() }, "Cancel"),
      h("button", { class: "button primary" }, "Send"),
    ),
  );
  document.body.append(window);
  window.showModal();
  return await new Promise((done) => {
    let entered: FormData | null = null;
    form.addEventListener("submit", () => (entered = new FormData(form)));
    window.addEventListener("close", () => {
      window.remove();
      done(entered);
    });
  });
}
