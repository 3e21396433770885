import type { FastifyInstance, FastifyReply } from "fastify";
import { issueSignupCode } from "../accounts/signups.ts";
import { isRecord, textOf } from "../lib/shape.ts";
import type { Simulation } from "../simulation/simulation.ts";
import { ControlError } from "../world/control-error.ts";
import { SIGNUP_SCOPES, type SignupCodeInput } from "../world/signup-grants.ts";
import type { Account } from "../world/world.ts";
import { type Choice, closingPage, type Dialog, KEYS, stepPage } from "./consent-page.ts";
import { asPage } from "./pages.ts";

const STEPS = 3;

/**
 * The provider's dialog, as far as a console needs it to be tried without the provider: business, accounts and number, permissions. The
 * code goes back by `redirect_uri`, or without one to the window that opened the page, behind the event of the documentation. Each step
 * is a form that carries what was chosen before; the last one's fields and `answer` `allow` or `cancel` are enough.
 */
export function registerConsentPage(app: FastifyInstance, sim: Simulation): void {
  const show = (reply: FastifyReply, dialog: Dialog, choice: Choice, problem?: string) =>
    html(reply, dialog).send(
      stepPage({ dialog, choice, app: sim.app, accounts: [...sim.world.accounts.values()], problem }),
    );
  // The second is the provider's own path.
  for (const path of ["/sim/consent", "/:version/dialog/oauth"])
    app.get<{ Querystring: Record<string, string | undefined> }>(path, (request, reply) =>
      show(reply, dialogOf(sim, request.query), choiceOf(sim, { step: "1" })),
    );
  app.post<{ Body: unknown }>("/sim/consent", (request, reply) => {
    const body = isRecord(request.body) ? request.body : {};
    const dialog = dialogOf(sim, body);
    const choice = choiceOf(sim, body);
    const answer = textOf(body["answer"]) ?? "";
    if (answer === "back") return show(reply, dialog, { ...choice, step: Math.max(1, choice.step - 1) });
    if (answer === "next") {
      const problem = problemOf(choice);
      return show(reply, dialog, { ...choice, step: problem === undefined ? choice.step + 1 : choice.step }, problem);
    }
    const isAllowed = answer === "allow" && choice.accounts.length > 0;
    const code = isAllowed ? issueSignupCode(sim, grantOf(dialog, choice)).code : null;
    const back = addressOf(dialog, code);
    if (back !== null) return reply.code(303).header("location", back).send();
    return html(reply, dialog).send(closingPage(messagesOf(dialog, choice, code)));
  });
}

function dialogOf(sim: Simulation, given: Readonly<Record<string, unknown>>): Dialog {
  const dialog = Object.fromEntries(KEYS.map((key) => [key, textOf(given[key]) ?? ""])) as Dialog; // all of its keys
  if (dialog.client_id !== sim.app.id) throw new ControlError(400, `client_id must be the app's id, ${sim.app.id}`);
  const { redirect_uri } = dialog;
  if (redirect_uri !== "" && !(URL.canParse(redirect_uri) && /^https?:/.test(redirect_uri)))
    throw new ControlError(400, "redirect_uri must be an address with http or https");
  return dialog;
}

function choiceOf(sim: Simulation, body: Readonly<Record<string, unknown>>): Choice {
  const business = textOf(body["business"]) ?? null;
  const accounts = [...sim.world.accounts.values()].filter(
    (account) => body[`waba_${account.id}`] === "on" && (business === null || account.businessId === business),
  );
  return {
    step: Math.min(STEPS, Math.max(1, Number(body["step"]) || 1)),
    business,
    accounts,
    phone_number_id: textOf(body["phone_number_id"]) ?? null,
    fault: textOf(body["fault"]) ?? "",
  };
}

function problemOf({ step, business, accounts }: Choice): string | undefined {
  if (step === 1 && business === null) return "Choose a business.";
  return step === 2 && accounts.length === 0 ? "Choose an account." : undefined;
}

/** What can be wrong with the code that the dialog gives out, by the names of the form. */
const FAULTS: Readonly<Record<string, Partial<SignupCodeInput>>> = {
  expired: { expires_in_ms: 0 },
  used: { used: true },
  no_management: { scopes: [SIGNUP_SCOPES[1]] },
  no_messaging: { scopes: [SIGNUP_SCOPES[0]] },
  other_app: { app_id: "4242" },
};

/** A code that goes to an address is exchanged with it. */
const grantOf = ({ redirect_uri }: Dialog, { accounts, fault }: Choice): SignupCodeInput => ({
  waba_ids: accounts.map(({ id }) => id),
  ...(redirect_uri === "" ? {} : { redirect_uri }),
  ...FAULTS[fault],
});

/** Null: there is no address, so the answer goes to the window that opened the page. */
function addressOf({ redirect_uri, state }: Dialog, code: string | null): string | null {
  if (redirect_uri === "") return null;
  const url = new URL(redirect_uri);
  const answer = code === null ? { error: "access_denied", error_reason: "user_denied" } : { code };
  for (const [key, value] of Object.entries(state === "" ? answer : { ...answer, state }))
    url.searchParams.set(key, value);
  return url.href;
}

/** As the dialog's session event (provider reference 8.2), whose data is the first account's; the code in a message of our own. */
function messagesOf({ state }: Dialog, choice: Choice, code: string | null): string[] {
  const messages =
    code === null
      ? [{ type: "WA_EMBEDDED_SIGNUP", event: "CANCEL", version: "3", data: { current_step: "PERMISSIONS" } }]
      : [finished(choice), { type: "SIM_SIGNUP_CODE", code, state }];
  return messages.map((message) => JSON.stringify(message));
}

function finished({ accounts, phone_number_id }: Choice): object {
  const [first, ...others] = accounts;
  const number = numberOf(first, phone_number_id);
  const data = {
    ...(number === undefined ? {} : { phone_number_id: number }),
    waba_id: first?.id,
    business_id: first?.businessId,
    ...(others.length === 0 ? {} : { waba_ids: accounts.map(({ id }) => id) }),
  };
  const event = number === undefined ? "FINISH_ONLY_WABA" : "FINISH";
  return { type: "WA_EMBEDDED_SIGNUP", event, version: "3", data };
}

function numberOf(account: Account | undefined, chosen: string | null): string | undefined {
  const numbers = account?.phoneNumbers ?? [];
  return (numbers.find(({ id }) => id === chosen) ?? numbers[0])?.id;
}

function html(reply: FastifyReply, { redirect_uri }: Dialog): FastifyReply {
  // Browsers apply form-action to the redirect behind a form, too.
  const back = redirect_uri === "" ? "" : ` ${new URL(redirect_uri).origin}`;
  return asPage(
    reply,
    `default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; form-action 'self'${back}; base-uri 'none'; frame-ancestors 'none'`,
  );
}
