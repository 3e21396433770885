import { afterAll, beforeAll, expect, test, vi } from "vitest";
import {
  type CallFault,
  type FaultyProvider,
  openFaultyProvider,
} from "../../packages/server/src/features/accounts/signup/testing/faulty-provider.ts";
import {
  addAccount,
  codeFor,
  type Granted,
} from "../../packages/server/src/features/accounts/signup/testing/signups.ts";
import { parseId } from "../../packages/server/src/lib/ids.ts";
import { callAs } from "../../packages/server/src/testing/call.ts";
import { withClient } from "../../packages/server/src/testing/client.ts";
import { createWorkspace } from "../../packages/server/src/testing/workspace.ts";
import { type Deployment, OPERATOR_KEY, startDeployment, type Worker } from "./deployment.ts";

/** A killed run holds its signup for 75 s, unless its claim is made older; then another process has it within seconds. */
const RESUMED_MS = 110_000;

let deployment: Deployment;
let provider: FaultyProvider;
let victim: Worker;
let survivor: Worker;
beforeAll(async () => {
  deployment = await startDeployment();
  provider = await openFaultyProvider(() => deployment.provider.url);
  const env = { PROVIDER_BASE_URL: provider.url };
  victim = await deployment.serve(env);
  survivor = await deployment.serve(env);
}, 60_000);
afterAll(async () => {
  await deployment.stop();
  await provider.close();
});

type Case = { step: string; call: RegExp; fault: CallFault };
const CASES: readonly Case[] = [
  { step: "exchange", call: /oauth/, fault: "hang" },
  { step: "inspect_token", call: /debug_token/, fault: "held" },
  { step: "verify_ownership", call: /^GET \/\d+$/, fault: "held" },
  { step: "subscribe", call: /^POST.*subscribed_apps/, fault: "held" },
  { step: "register", call: /^POST.*register/, fault: "held" },
  { step: "import", call: /message_templates/, fault: "held" },
];

type Begun = { id: string; workspaceId: string; key: string; account: Granted };

/** A signup of a workspace of its own whose first call of this kind gets no answer, and that waits for it. */
async function beginHeld(call: RegExp, fault: CallFault): Promise<Begun> {
  const { id: workspaceId, key } = await createWorkspace(callAs(victim.url, OPERATOR_KEY));
  const account = addAccount({ gateway: { simulator: deployment.provider } });
  const before = provider.asked.length;
  provider.fail(call, fault, 1);
  const reply = await victim.call(key, "POST", "/v1/embedded-signups", { body: { code: codeOf(account) } });
  expect(reply.status).toBe(202);
  await vi.waitFor(() => expect(provider.asked.slice(before).some((one) => call.test(one))).toBe(true), {
    timeout: 20_000,
    interval: 10,
  });
  return { id: reply.body.id, workspaceId, key, account };
}

const codeOf = (account: Granted): string => codeFor({ gateway: { simulator: deployment.provider } }, [account]);

const signup = async ({ id, key }: Begun) => (await survivor.call(key, "GET", `/v1/embedded-signups/${id}`)).body;

const ends = (begun: Begun, status: "completed" | "failed") =>
  vi.waitFor(async () => expect(await signup(begun)).toMatchObject({ status }), {
    timeout: RESUMED_MS,
    interval: 500,
  });

/**
 * The claims of killed runs are over as soon as another process has their lanes. Runs of lanes that the survivor has by then are its own:
 * they may have ended, or go on and claim their signups anew.
 */
async function endClaims(begun: readonly Begun[]): Promise<void> {
  await withClient(deployment.database.url, async (client) => {
    for (const { workspaceId } of begun) {
      await client.query("select set_config('app.workspace_id', $1, false)", [parseId("ws", workspaceId)]);
      await client.query("update embedded_signup set claimed_until = now() where claim is not null");
    }
  });
}

async function expectConnectedOnce({ workspaceId, key, account }: Begun): Promise<void> {
  const accounts = await survivor.call(key, "GET", "/v1/business-accounts");
  expect(accounts.body.data).toMatchObject([{ provider_account_id: account.wabaId, status: "connected" }]);
  const numbers = await survivor.call(key, "GET", "/v1/phone-numbers");
  expect(numbers.body.data).toMatchObject([{ status: "connected" }]);
  const events = await deployment.rows({ id: workspaceId }, "select from event where kind = 'signup_completed'");
  expect(events).toHaveLength(1);
  const registrations = provider.asked.filter((one) => one === `POST /${account.numberIds[0]}/register`);
  expect(registrations).toHaveLength(1);
}

test("a process killed at each step of signups: another one completes them all, each connected and registered once", {
  timeout: 180_000,
}, async () => {
  const begun: Begun[] = [];
  for (const { call, fault } of CASES) begun.push(await beginHeld(call, fault));
  // The code of this one is spent: nobody can have its token.
  const spent = await beginHeld(/oauth/, "held");
  await victim.end("SIGKILL");
  provider.mend();
  await endClaims([...begun, spent]);
  await Promise.all(begun.map((one) => ends(one, "completed")));
  await ends(spent, "failed");
  expect((await signup(spent)).steps[0]).toMatchObject({ name: "exchange", error: { code: "code_expired" } });
  expect((await survivor.call(spent.key, "GET", "/v1/business-accounts")).body.data).toEqual([]);
  const path = `/v1/embedded-signups/${spent.id}/resume`;
  const resumed = await survivor.call(spent.key, "POST", path, { body: { code: codeOf(spent.account) } });
  expect(resumed.status).toBe(202);
  await ends(spent, "completed");
  for (const one of [...begun, spent]) await expectConnectedOnce(one);
});
