import type { App } from "../simulation/simulation.ts";
import type { Account } from "../world/world.ts";
import { document } from "./pages.ts";

/** What the page was opened with, and carries through its forms. */
export type Dialog = { client_id: string; config_id: string; redirect_uri: string; state: string };
export const KEYS = ["client_id", "config_id", "redirect_uri", "state"] as const;

/** What was chosen so far. `step` from 1: business, accounts and number, permissions; `business` is a portfolio. */
export type Choice = {
  step: number;
  business: string | null;
  accounts: readonly Account[];
  phone_number_id: string | null;
  fault: string;
};

type Step = { dialog: Dialog; choice: Choice; app: App; accounts: readonly Account[]; problem: string | undefined };

/** The form of one step, with what was chosen in the others. */
export function stepPage(step: Step): string {
  const { dialog, choice, app, problem } = step;
  const { title, body, next } = PARTS[choice.step - 1]?.(step) ?? permissions(step);
  const { label, answer } = next;
  const carried = KEYS.map((key) => hidden(key, dialog[key])).join("");
  const back =
    choice.step === 1 ? "" : '<button class="button" name="answer" value="back" formnovalidate>Back</button>';
  const alert = problem === undefined ? "" : `<p class="alert" role="alert">${escaped(problem)}</p>`;
  const markup = `<main><form method="post" action="/sim/consent">
<p class="muted small">${escaped(app.name)} · step ${choice.step} of ${PARTS.length} · the simulator's dialog, not the provider's</p>
<h1>${escaped(title)}</h1>${alert}${carried}${hidden("step", String(choice.step))}${body}
${faults(choice.fault)}
<p class="actions"><button class="button primary" name="answer" value="${answer}"${next.isEmpty ? " disabled" : ""}>${escaped(label)}</button>${back}
<button class="button" name="answer" value="cancel" formnovalidate>Cancel</button></p></form></main>`;
  return document({ title: "Share accounts", name: "consent", body: markup });
}

/** The end for the window that opened the page: `texts` are messages for it, which the page's script posts. */
export function closingPage(texts: readonly string[]): string {
  const body = `<main data-messages="${escaped(JSON.stringify(texts))}"><h1>Done</h1><p>This window can be closed.</p></main>`;
  return document({ title: "Share accounts", name: "consent", body });
}

type Part = { title: string; body: string; next: { label: string; answer: "next" | "allow"; isEmpty?: boolean } };
const PARTS: readonly ((step: Step) => Part)[] = [businesses, numbers, permissions];

function businesses({ choice, accounts }: Step): Part {
  const portfolios = new Map<string, Account[]>();
  for (const account of accounts)
    portfolios.set(account.businessId, [...(portfolios.get(account.businessId) ?? []), account]);
  const chosen = choice.business ?? accounts[0]?.businessId;
  const options = [...portfolios].map(([id, of]) =>
    option({ type: "radio", name: "business", value: id, isChosen: id === chosen, isRequired: true }, [
      of.map(({ name }) => name).join(", "),
      `Portfolio ${id}`,
    ]),
  );
  const empty = options.length === 0 ? "<p>No business has an account here yet.</p>" : "";
  return {
    title: "Choose a business",
    body: fieldset("Businesses", `${options.join("")}${empty}`) + carriedAccounts(choice),
    next: { label: "Continue", answer: "next", isEmpty: options.length === 0 },
  };
}

function numbers({ choice, accounts }: Step): Part {
  const own = accounts.filter(({ businessId }) => businessId === choice.business);
  const chosen = choice.accounts.length > 0 ? choice.accounts : own.slice(0, 1);
  const number = choice.phone_number_id ?? chosen[0]?.phoneNumbers[0]?.id;
  const options = own.map((account) => {
    const isChosen = chosen.includes(account);
    const box = option({ type: "checkbox", name: `waba_${account.id}`, value: "on", isChosen }, [
      account.name,
      `WhatsApp Business account ${account.id}`,
    ]);
    const choices = account.phoneNumbers.map(({ id, verifiedName, displayPhoneNumber }) =>
      option({ type: "radio", name: "phone_number_id", value: id, isChosen: id === number }, [
        displayPhoneNumber,
        verifiedName,
      ]),
    );
    return `${box}<div class="nested">${choices.join("")}</div>`;
  });
  return {
    title: "Choose an account and a number",
    body: fieldset("Accounts and numbers", options.join("")) + hidden("business", choice.business ?? ""),
    next: { label: "Continue", answer: "next" },
  };
}

function permissions({ choice, app }: Step): Part {
  const shared = choice.accounts.map(({ id, name }) => `<li>${escaped(name)} (${escaped(id)})</li>`).join("");
  const lacks = (fault: string) => (choice.fault === fault ? " (left out, as chosen below)" : "");
  return {
    title: `What ${app.name} may do`,
    body:
      `<ul class="granted"><li>Manage the accounts, their numbers and templates${lacks("no_management")}</li>` +
      `<li>Send and receive messages${lacks("no_messaging")}</li></ul><h2>With</h2><ul class="granted">${shared}</ul>` +
      hidden("business", choice.business ?? "") +
      carriedAccounts(choice),
    next: { label: "Allow", answer: "allow", isEmpty: choice.accounts.length === 0 },
  };
}

const carriedAccounts = ({ accounts, phone_number_id }: Choice): string =>
  accounts.map(({ id }) => hidden(`waba_${id}`, "on")).join("") +
  (phone_number_id === null ? "" : hidden("phone_number_id", phone_number_id));

const FAULTS: readonly (readonly [string, string])[] = [
  ["", "Nothing is wrong"],
  ["expired", "The code has ended before it is exchanged"],
  ["used", "The code was used before"],
  ["no_management", "Without the permission to manage"],
  ["no_messaging", "Without the permission to send"],
  ["other_app", "The code is another app's"],
];

function faults(chosen: string): string {
  const options = FAULTS.map(
    ([value, text]) => `<option value="${value}"${value === chosen ? " selected" : ""}>${escaped(text)}</option>`,
  );
  return `<details${chosen === "" ? "" : " open"}><summary>Break it</summary><label class="field">What goes wrong afterwards<select name="fault">${options.join("")}</select></label></details>`;
}

type Option = { type: "radio" | "checkbox"; name: string; value: string; isChosen: boolean; isRequired?: boolean };

function option({ type, name, value, isChosen, isRequired }: Option, [title, about]: [string, string]): string {
  const attributes = `type="${type}" name="${escaped(name)}" value="${escaped(value)}"${isChosen ? " checked" : ""}${isRequired ? " required" : ""}`;
  return `<label class="option"><input ${attributes}><span>${escaped(title)}<span class="muted small">${escaped(about)}</span></span></label>`;
}

const fieldset = (legend: string, content: string): string =>
  `<fieldset><legend class="visually-hidden">${escaped(legend)}</legend>${content}</fieldset>`;
const hidden = (name: string, value: string): string =>
  `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`;

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? "");
