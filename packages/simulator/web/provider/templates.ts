import { call } from "../lib/api.ts";
import { h, KeyedList, setText } from "../lib/dom.ts";
import { badge, button, select, showState, wordsOf } from "./parts.ts";
import type { Account, Attempt, Part, Template } from "./shapes.ts";

const REASONS = [
  "INVALID_FORMAT",
  "TAG_CONTENT_MISMATCH",
  "INCORRECT_CATEGORY",
  "ABUSIVE_CONTENT",
  "SCAM",
  "PROMOTIONAL",
];

type Listed = Template & { account: string };

/** Templates of all accounts, those that wait for a decision first, and what a reviewer does with them. */
export function templates(attempt: Attempt): Part {
  const list = h("ul", { class: "cards" });
  const empty = h("p", { class: "muted", hidden: true }, "No account has a template yet.");
  const keyed = new KeyedList<Listed>(
    list,
    ({ id }) => id,
    (template) => draw(template, attempt),
  );
  return {
    element: h("section", { "aria-label": "Templates" }, h("h2", {}, "Templates"), empty, list),
    async read() {
      const { data } = await call<{ data: Account[] }>("GET", "/sim/accounts");
      const all = data.flatMap(({ name, templates: of }) => of.map((one) => ({ ...one, account: name })));
      empty.hidden = all.length > 0;
      keyed.show(all.sort((a, b) => Number(b.status === "PENDING") - Number(a.status === "PENDING")));
    },
  };
}

function draw({ id, name, language, category }: Listed, attempt: Attempt) {
  const decide = (body: object) => () =>
    attempt(() => call("POST", `/sim/templates/${encodeURIComponent(id)}/decide`, body));
  const state = badge();
  const about = h("p", { class: "muted small" });
  const text = h("p", { class: "body", dir: "auto" });
  const reason = select("Reason", REASONS);
  const approve = button("Approve", decide({ status: "APPROVED" }));
  const pause = button("Pause", () =>
    attempt(() => call("POST", `/sim/templates/${encodeURIComponent(id)}/low-quality`)),
  );
  const reject = button("Reject", () => decide({ status: "REJECTED", reason: reason.value })(), "danger");
  const element = h(
    "li",
    { class: "card" },
    h("div", { class: "head" }, h("h3", {}, name), h("code", {}, language), state),
    about,
    text,
    h("div", { class: "actions" }, approve, pause, h("label", { class: "inline" }, "Reason", reason), reject),
  );
  const update = (template: Listed) => {
    const { status, rejected_reason, quality_score } = template;
    showState(state, status);
    const why = status === "REJECTED" ? `, ${wordsOf(rejected_reason)}` : "";
    const quality = quality_score === "UNKNOWN" ? "" : `, quality ${wordsOf(quality_score)}`;
    setText(about, `${template.account}, ${wordsOf(category)}${quality}${why}`);
    setText(text, template.components.find(({ type }) => type.toUpperCase() === "BODY")?.text ?? "");
    approve.disabled = status === "APPROVED" || status === "DISABLED";
    pause.disabled = status !== "APPROVED";
    reject.disabled = status === "REJECTED" || status === "DISABLED";
  };
  return { element, update };
}
