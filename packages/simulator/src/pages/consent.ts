import { randomBytes } from "node:crypto";
import type { FastifyInstance, FastifyReply } from "fastify";
import { issueSignupCode } from "../accounts/signups.ts";
import { isRecord, textOf } from "../lib/shape.ts";
import type { Simulation } from "../simulation/simulation.ts";
import { ControlError } from "../world/control-error.ts";
import type { SignupCodeInput } from "../world/signup-grants.ts";
import type { Account } from "../world/world.ts";

/** What the page was opened with, and carries through its form. */
type Dialog = { client_id: string; config_id: string; redirect_uri: string; state: string };
const KEYS = ["client_id", "config_id", "redirect_uri", "state"] as const;

/**
 * The provider's dialog, as far as a console needs it to be tried without the provider: choose accounts, allow or cancel. The
 * code goes back by `redirect_uri`, or without one to the window that opened the page, behind the event of the documentation.
 */
export function registerConsentPage(app: FastifyInstance, sim: Simulation): void {
  // The second is the provider's own path.
  for (const path of ["/sim/consent", "/:version/dialog/oauth"])
    app.get<{ Querystring: Record<string, string | undefined> }>(path, (request, reply) => {
      const dialog = dialogOf(sim, request.query);
      void html(reply, dialog).send(page(dialog, [...sim.world.accounts.values()]));
    });
  app.post<{ Body: unknown }>("/sim/consent", (request, reply) => {
    const body = isRecord(request.body) ? request.body : {};
    const dialog = dialogOf(sim, body);
    const chosen = [...sim.world.accounts.values()].filter((account) => body[`waba_${account.id}`] === "on");
    const isAllowed = body["answer"] === "allow" && chosen.length > 0;
    const code = isAllowed ? issueSignupCode(sim, grantOf(dialog, chosen)).code : null;
    const back = addressOf(dialog, code);
    if (back !== null) return reply.code(303).header("location", back).send();
    return html(reply, dialog, true).send(closing(dialog, chosen, code));
  });
}

/** A code that goes to an address is exchanged with it. */
const grantOf = ({ redirect_uri }: Dialog, chosen: readonly Account[]): SignupCodeInput => ({
  waba_ids: chosen.map(({ id }) => id),
  ...(redirect_uri === "" ? {} : { redirect_uri }),
});

function dialogOf(sim: Simulation, given: Readonly<Record<string, unknown>>): Dialog {
  const dialog = Object.fromEntries(KEYS.map((key) => [key, textOf(given[key]) ?? ""])) as Dialog; // all of its keys
  if (dialog.client_id !== sim.app.id) throw new ControlError(400, `client_id must be the app's id, ${sim.app.id}`);
  const { redirect_uri } = dialog;
  if (redirect_uri !== "" && !(URL.canParse(redirect_uri) && /^https?:/.test(redirect_uri)))
    throw new ControlError(400, "redirect_uri must be an address with http or https");
  return dialog;
}

/** Null: there is no address, so the answer goes to the window that opened the page. */
function addressOf({ redirect_uri, state }: Dialog, code: string | null): string | null {
  if (redirect_uri === "") return null;
  const url = new URL(redirect_uri);
  const answer = code === null ? { error: "access_denied", error_reason: "user_denied" } : { code };
  for (const [key, value] of Object.entries(state === "" ? answer : { ...answer, state }))
    url.searchParams.set(key, value);
  return url.href;
}

const NONCE = randomBytes(16).toString("base64");

function html(reply: FastifyReply, { redirect_uri }: Dialog, withScript = false): FastifyReply {
  // Browsers apply form-action to the redirect behind a form, too.
  const back = redirect_uri === "" ? "" : ` ${new URL(redirect_uri).origin}`;
  const script = withScript ? `; script-src 'nonce-${NONCE}'` : "";
  return reply
    .type("text/html; charset=utf-8")
    .header(
      "content-security-policy",
      `default-src 'none'; style-src 'unsafe-inline'; form-action 'self'${back}; frame-ancestors 'none'${script}`,
    )
    .header("cache-control", "no-store")
    .header("referrer-policy", "no-referrer");
}

const STYLE =
  ":root{color-scheme:light dark}body{font:16px/1.45 system-ui,sans-serif;max-width:28rem;margin:0 auto;padding:1rem}h1{font-size:1.3rem}" +
  "label{display:flex;gap:.5rem;padding:.4rem 0}button{margin:1rem .5rem 0 0;padding:.4rem 1rem;font:inherit}";
const document = (body: string) =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>Share accounts</title><style>${STYLE}</style>${body}</html>\n`;

function page(dialog: Dialog, accounts: readonly Account[]): string {
  const hidden = KEYS.map((key) => `<input type="hidden" name="${key}" value="${escaped(dialog[key])}">`);
  const choices = accounts.map(
    ({ id, name }, index) =>
      `<label><input type="checkbox" name="waba_${escaped(id)}"${index === 0 ? " checked" : ""}> ${escaped(name)} (${escaped(id)})</label>`,
  );
  return document(
    `<h1>Share accounts</h1><p>The simulated dialog of app ${escaped(dialog.client_id)}. Which accounts may it manage and write for?</p>` +
      `<form method="post" action="/sim/consent">${hidden.join("")}${choices.join("")}` +
      '<button name="answer" value="allow">Allow</button><button name="answer" value="cancel">Cancel</button></form>',
  );
}

/** As the dialog's session event (provider reference 8.2), whose data is the first account's; the code in a message of our own. */
function closing({ state }: Dialog, [first, ...others]: readonly Account[], code: string | null): string {
  const number = first?.phoneNumbers[0];
  const data = {
    ...(number === undefined ? {} : { phone_number_id: number.id }),
    waba_id: first?.id,
    business_id: first?.businessId,
    ...(others.length === 0 ? {} : { waba_ids: [first?.id, ...others.map(({ id }) => id)] }),
  };
  const session =
    code === null
      ? { type: "WA_EMBEDDED_SIGNUP", event: "CANCEL", version: "3", data: { current_step: "PERMISSIONS" } }
      : { type: "WA_EMBEDDED_SIGNUP", event: number === undefined ? "FINISH_ONLY_WABA" : "FINISH", version: "3", data };
  const messages = [session, ...(code === null ? [] : [{ type: "SIM_SIGNUP_CODE", code, state }])];
  const texts = JSON.stringify(messages.map((message) => JSON.stringify(message))).replaceAll("<", "\\u003c");
  return document(
    `<p>${code === null ? "Canceled" : "Shared"}; this window can be closed.</p>` +
      `<script nonce="${NONCE}">for (const text of ${texts}) if (window.opener) window.opener.postMessage(text, "*"); window.close();</script>`,
  );
}

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};
const escaped = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? "");
