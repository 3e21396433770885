import { afterAll, beforeEach, vi } from "vitest";
import { type Gateway, startGateway, type Workspace } from "../../../../testing/gateway.ts";
import { type FaultyProvider, openFaultyProvider } from "./faulty-provider.ts";

export type Signup = ReturnType<typeof JSON.parse>;

/**
 * It only bounds a failing test. Longer than a call of the provider may take, which is 30 s of real time: where the signup's task was faster
 * than the process that took the request, nothing follows a call that hangs but its end.
 */
const PATIENCE = { timeout: 60_000, interval: 20 };

export type Signups = { gateway: Gateway; provider: FaultyProvider };

/**
 * A gateway whose provider is the simulator behind a proxy; stopped behind the tests of the file, mended before each. The proxy
 * leaves out the accounts of the tests before: they are checked now and then, and one test's faults are not for them.
 */
export async function startSignups(): Promise<Signups> {
  let behind = "";
  const provider = await openFaultyProvider(() => behind);
  const gateway = await startGateway({ PROVIDER_BASE_URL: provider.url });
  behind = gateway.simulator.url;
  beforeEach(() => {
    provider.mend();
    provider.ignore(added.flatMap(({ wabaId, numberIds }) => [wabaId, ...numberIds]));
    provider.asked.length = 0;
  });
  afterAll(async () => {
    provider.mend();
    await gateway.stop();
    await provider.close();
  });
  return { gateway, provider };
}

/** What a test gives of an account at the provider: numbers that wait for their registration by default. */
type AccountOptions = { numbers?: { status?: "CONNECTED" | "PENDING" | "UNVERIFIED"; pin?: string }[] };
export type Granted = { wabaId: string; numberIds: string[] };

/** Where the accounts are; a test of processes has no gateway but this. */
type AtProvider = { gateway: Pick<Gateway, "simulator"> };

const added: Granted[] = [];
/** An account at the provider that no workspace has connected, with a token of its own that no test uses. */
export function addAccount(
  { gateway }: AtProvider,
  { numbers = [{ status: "PENDING" }] }: AccountOptions = {},
): Granted {
  const accounts = added.length + 1;
  const wabaId = String(880_000 + accounts);
  const phone_numbers = numbers.map((number, index) => ({
    id: `${77_000 + accounts}${index}`,
    display_phone_number: `+1555${200 + index}${1_000 + accounts}`,
    ...number,
  }));
  const business_id = String(70_000 + accounts);
  const templates = [
    { name: "hi", language: "en_US", category: "UTILITY", components: [{ type: "BODY", text: "Hi." }] },
  ];
  const of = { waba_id: wabaId, name: `Shop ${accounts}`, business_id, token: `EAASIMX${wabaId}` };
  gateway.simulator.addAccount({ ...of, phone_numbers, templates });
  const granted = { wabaId, numberIds: phone_numbers.map(({ id }) => id) };
  added.push(granted);
  return granted;
}

export type CodeInput = Omit<Parameters<Gateway["simulator"]["issueSignupCode"]>[0], "waba_ids">;

/** A code of a dialog in which the customer has granted these accounts; without callbacks. */
export const codeFor = ({ gateway }: AtProvider, granted: readonly Granted[], more: CodeInput = {}): string =>
  gateway.simulator.issueSignupCode({ waba_ids: granted.map(({ wabaId }) => wabaId), report: false, ...more }).code;

/** Allows accounts in the provider's dialog, with no step between; resolves with the address that the browser is sent to. */
export async function allowIn(dialogUrl: string, ...granted: readonly Granted[]): Promise<URL> {
  const page = await fetch(dialogUrl);
  if (page.status !== 200) throw new Error(`no dialog: ${page.status}`);
  const form = new URLSearchParams(new URL(dialogUrl).search);
  for (const { wabaId } of granted) form.set(`waba_${wabaId}`, "on");
  form.set("answer", "allow");
  const answer = await fetch(new URL("/sim/consent", dialogUrl), { method: "POST", body: form, redirect: "manual" });
  if (answer.status !== 303) throw new Error(`the dialog gave no answer: ${answer.status}`);
  return new URL(answer.headers.get("location") ?? "");
}

/** Begins a signup; resolves with its id. */
export async function begin(workspace: Workspace, body: object): Promise<string> {
  const { status, text, body: signup } = await workspace.call("POST", "/v1/embedded-signups", { body });
  if (status !== 202) throw new Error(`no signup: ${text}`);
  return signup.id;
}

export async function resume(workspace: Workspace, id: string, body?: object): Promise<void> {
  const path = `/v1/embedded-signups/${id}/resume`;
  const { status, text } = await workspace.call("POST", path, body ? { body } : {});
  if (status !== 202) throw new Error(`not resumed: ${text}`);
}

/** Resolves with the signup once it is as asked. `each`: what a test does between two looks, such as moving the clock. */
export const becomes = (
  workspace: Workspace,
  id: string,
  is: (signup: Signup) => boolean,
  each: () => void = () => undefined,
): Promise<Signup> =>
  vi.waitFor(async () => {
    const { body } = await workspace.call("GET", `/v1/embedded-signups/${id}`);
    if (is(body)) return body;
    each();
    throw new Error(`the signup is ${JSON.stringify(body)}`);
  }, PATIENCE);

export const completed = (workspace: Workspace, id: string, each?: () => void): Promise<Signup> =>
  becomes(workspace, id, ({ status }) => status === "completed", each);
export const failed = (workspace: Workspace, id: string): Promise<Signup> =>
  becomes(workspace, id, ({ status }) => status === "failed");

/** The first step that is not done. */
export const nextOf = ({ steps }: Signup): Signup => steps.find(({ status }: Signup) => status !== "done") ?? null;

/** The events of signups that the workspace has, by the provider's ids of their accounts. */
export async function signupEvents(workspace: Workspace): Promise<string[]> {
  const rows = await workspace.rows<{ id: string }>(
    "select state->'business_account'->>'provider_account_id' as id from event where kind = 'signup_completed'",
  );
  return rows.map(({ id }) => id);
}

/** The provider's ids of the workspace's accounts, with their status. */
export async function accountsOf(workspace: Workspace): Promise<Record<string, string>> {
  const { body } = await workspace.call("GET", "/v1/business-accounts?limit=100");
  return Object.fromEntries(body.data.map((one: Signup) => [one.provider_account_id, one.status]));
}
