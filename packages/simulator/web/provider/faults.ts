import { call } from "../lib/api.ts";
import { h, KeyedList, setText } from "../lib/dom.ts";
import { FIELDS, type Field, FORMS, OPERATIONS } from "./fault-forms.ts";
import { button } from "./parts.ts";
import type { Attempt, Fault, Part } from "./shapes.ts";

/** Faults that are active, each to be cleared, and a form for each kind. */
export function faults(attempt: Attempt): Part {
  const list = h("ul", { class: "cards" });
  const none = h("p", { class: "muted" }, "None: every call is answered as the provider would.");
  const clear = button("Clear all", () => attempt(() => call("DELETE", "/sim/faults")));
  const keyed = new KeyedList<Fault>(
    list,
    ({ id }) => id,
    (fault) => draw(fault, attempt),
  );
  return {
    element: h(
      "section",
      { "aria-label": "Faults" },
      h("div", { class: "head" }, h("h2", {}, "Active faults"), clear),
      none,
      list,
      h("h2", {}, "Add a fault"),
      form(attempt),
    ),
    async read() {
      const { data } = await call<{ data: Fault[] }>("GET", "/sim/faults");
      none.hidden = data.length > 0;
      clear.hidden = data.length < 2;
      keyed.show(data);
    },
  };
}

function draw({ id }: Fault, attempt: Attempt) {
  const text = h("span", { class: "grow" });
  const clear = button("Clear", () => attempt(() => call("DELETE", `/sim/faults/${encodeURIComponent(id)}`)));
  const update = (fault: Fault) => setText(text, sentenceOf(fault));
  return { element: h("li", { class: "card row" }, text, clear), update };
}

function sentenceOf({ behaviour: { kind, ...more }, left, operation, ...about }: Fault): string {
  const details = Object.entries(more).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
  const whom = [about.recipient, about.phone_number_id, about.waba_id].filter((one) => one !== null);
  return [
    [FORMS[kind]?.name ?? kind, ...details].join(", "),
    operation === null ? "for sends" : `for ${operation}`,
    ...(whom.length === 0 ? [] : [`of ${whom.join(", ")}`]),
    left === null ? "until it is cleared" : left === 1 ? "once" : `${left} times`,
  ].join(" · ");
}

function form(attempt: Attempt): HTMLElement {
  const kind = h(
    "select",
    { name: "kind" },
    ...Object.entries(FORMS).map(([value, { name }]) => h("option", { value }, name)),
  );
  const about = h("p", { class: "muted small" });
  const fields = new Map(Object.entries(FIELDS).map(([name, field]) => [name, drawField(name, field)]));
  const operation = h(
    "select",
    { name: "operation" },
    h("option", { value: "" }, "sends"),
    ...OPERATIONS.map((value) => h("option", { value }, value.replaceAll("_", " "))),
  );
  const count = h("input", { name: "count", type: "number", min: 1, max: 1_000_000, value: 1 });
  const recipient = h("input", { name: "recipient", type: "tel", autocomplete: "off" });
  const element = h(
    "form",
    { class: "card fault" },
    h("label", { class: "field" }, "What happens", kind),
    about,
    ...[...fields.values()].map((field) => field.element),
    h("label", { class: "field" }, "Calls", operation),
    h("label", { class: "field" }, "How many times (empty: until it is cleared)", count),
    h("label", { class: "field" }, "Recipient (empty: all)", recipient),
    h("p", { class: "actions" }, h("button", { class: "button primary" }, "Add")),
  );
  const showKind = () => {
    const chosen = FORMS[kind.value];
    setText(about, chosen?.about ?? "");
    for (const [name, field] of fields) field.show(chosen?.fields.includes(name) === true);
  };
  kind.addEventListener("change", showKind);
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    const given = [...fields].flatMap(([name, field]) => (field.isShown() ? [[name, field.value()]] : []));
    const fault = {
      kind: kind.value,
      ...Object.fromEntries(given.filter(([, value]) => value !== undefined)),
      count: count.value === "" ? null : Number(count.value),
      ...(operation.value === "" ? {} : { operation: operation.value }),
      ...(recipient.value === "" ? {} : { recipient: recipient.value }),
    };
    attempt(() => call("POST", "/sim/faults", fault));
  });
  showKind();
  return element;
}

/** A field of the form; one that is not shown is not sent. */
function drawField(name: string, { label, type, value }: Field) {
  const input =
    type === "yes"
      ? h("input", { name, type: "checkbox" })
      : h("input", { name, type: type === "number" ? "number" : "text", value, required: true, autocomplete: "off" });
  const element = h(
    "label",
    { class: type === "yes" ? "inline" : "field" },
    ...(type === "yes" ? [input, label] : [label, input]),
  );
  return {
    element,
    isShown: () => !element.hidden,
    show(isShown: boolean) {
      element.hidden = !isShown;
      input.disabled = !isShown;
    },
    value(): unknown {
      if (type === "yes") return input.checked ? true : undefined;
      if (type === "number") return Number(input.value);
      return input.value.split(/[\s,]+/).filter((part) => part !== "");
    },
  };
}
