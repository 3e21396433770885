import { beforeEach, describe, expect, it } from "vitest";
import type { Workspace } from "../../../testing/gateway.ts";
import type { CallFault } from "./testing/faulty-provider.ts";
import {
  accountsOf,
  addAccount,
  becomes,
  begin,
  codeFor,
  completed,
  failed,
  type Granted,
  nextOf,
  resume,
  type Signup,
  signupEvents,
  startSignups,
} from "./testing/signups.ts";

const signups = await startSignups();
const { gateway, provider } = signups;
let mine: Workspace;
let account: Granted;
beforeEach(async () => {
  mine = await gateway.workspace();
  account = addAccount(signups);
});

/** One account, one event, each number registered once. */
async function expectConnectedOnce(): Promise<void> {
  expect(await accountsOf(mine)).toEqual({ [account.wabaId]: "connected" });
  expect(await signupEvents(mine)).toEqual([account.wabaId]);
  const numbers = await mine.rows("select status from phone_number");
  expect(numbers).toEqual([{ status: "connected" }]);
}

/** Ends the claim of a run that was killed. Then time goes on slowly, so that the next run has longer than its own claim on a busy machine. */
function pass(): () => void {
  let ms = 80_000;
  return () => {
    gateway.clock.advance(ms);
    ms = 250;
  };
}

describe("killed when the provider has done a step, and its result is not stored", () => {
  // From the database on, this is what a killed process is: the claim stays, and no result comes. A sequence counts the results that
  // were refused, because it is not rolled back with them.
  const withoutStoring = async (step: number, run: () => Promise<string>): Promise<string> => {
    const { sql } = gateway.app.db;
    await sql.run("create sequence refused_results");
    await sql.run("grant usage on sequence refused_results to public");
    const check = `check (json_array_length(done) <> ${step} or status = 'failed' or nextval('refused_results') < 0)`;
    await sql.run(`alter table embedded_signup add constraint killed_here ${check} not valid`);
    try {
      const id = await run();
      const refused = async () =>
        (await sql.query<{ is_called: boolean }>("select is_called from refused_results"))[0]?.is_called;
      await expect.poll(refused).toBe(true);
      expect((await mine.call("GET", `/v1/embedded-signups/${id}`)).body.status).toBe("running");
      return id;
    } finally {
      await sql.run("alter table embedded_signup drop constraint killed_here");
      await sql.run("drop sequence refused_results");
    }
  };

  it.each([
    ["inspect_token", 2],
    ["verify_ownership", 3],
    ["subscribe", 4],
    ["register", 5],
    ["import", 6],
  ])("at %s: it resumes by itself, connected once", async (_name, step) => {
    const id = await withoutStoring(step, () => begin(mine, { code: codeFor(signups, [account]) }));
    await completed(mine, id, pass());
    await expectConnectedOnce();
    expect(provider.asked.filter((call) => call.endsWith("/register"))).toHaveLength(1);
  });

  it("at exchange: the code is spent, which ends it clearly; resume with the code of a new dialog", async () => {
    const id = await withoutStoring(1, () => begin(mine, { code: codeFor(signups, [account]) }));
    const ended = await becomes(mine, id, ({ status }: Signup) => status === "failed", pass());
    expect(nextOf(ended)).toMatchObject({ name: "exchange", error: { code: "code_expired" } });
    await resume(mine, id, { code: codeFor(signups, [account]) });
    await completed(mine, id);
    await expectConnectedOnce();
  });
});

describe("a run that hangs is followed by another", () => {
  it.each([
    ["inspect_token", /debug_token/],
    ["verify_ownership", /GET \/\d+$/],
    ["subscribe", /^POST.*subscribed_apps/],
    ["register", /register/],
  ])("at %s: what comes late of the first one changes nothing", async (_name, which) => {
    provider.fail(which, "hang", 1);
    const id = await begin(mine, { code: codeFor(signups, [account]) });
    await expect.poll(() => provider.asked.some((call) => which.test(call))).toBe(true);
    await completed(mine, id, pass());
    await expectConnectedOnce();
    provider.mend();
    expect((await completed(mine, id)).status).toBe("completed");
    await expectConnectedOnce();
  });

  it("the exchange itself is given up within the life of its code, and tried again", async () => {
    provider.fail(/oauth/, "hang", 1);
    const id = await begin(mine, { code: codeFor(signups, [account]) });
    await expect.poll(() => provider.asked.length).toBe(1);
    gateway.clock.advance(10_500);
    await completed(mine, id, () => gateway.clock.advance(500));
    await expectConnectedOnce();
  });

  it("one call of resume does not wait for the pause", async () => {
    provider.fail(/subscribed_apps/, "html");
    const id = await begin(mine, { code: codeFor(signups, [account]) });
    await becomes(mine, id, (signup: Signup) => nextOf(signup)?.error?.code === "provider_unavailable");
    provider.mend();
    await gateway.app.db.transaction(mine.uuid, (sql) =>
      sql.run("update embedded_signup set next_try_at = next_try_at + interval '5 hours' where claim is null"),
    );
    await resume(mine, id);
    await completed(mine, id);
    await expectConnectedOnce();
  });
});

describe("the provider away", () => {
  const calls = [
    ["exchange", /oauth/],
    ["inspect_token", /debug_token/],
    ["verify_ownership", /GET \/\d+$/],
    ["subscribe", /^POST.*subscribed_apps/],
    ["register", /register/],
    ["import", /message_templates/],
  ] as const;
  const faults: CallFault[] = ["away", "html", { status: 503, body: { error: { message: "(#2) Down", code: 2 } } }];
  it.each(calls.flatMap(([name, which]) => faults.map((fault) => [name, fault, which] as const)))(
    "at %s with %j: it goes on by itself",
    async (_name, fault, which) => {
      provider.fail(which, fault, 2);
      const id = await begin(mine, { code: codeFor(signups, [account]) });
      await completed(mine, id, () => gateway.clock.advance(500));
      await expectConnectedOnce();
    },
  );

  it.each(calls.slice(1))("at %s with a lost answer: it goes on by itself", async (_name, which) => {
    provider.fail(which, "lost", 1);
    const id = await begin(mine, { code: codeFor(signups, [account]) });
    await completed(mine, id, () => gateway.clock.advance(500));
    await expectConnectedOnce();
  });

  it("for longer than a code lives: a clear end", async () => {
    provider.fail(/oauth/, "html");
    const id = await begin(mine, { code: codeFor(signups, [account]) });
    const ended = await becomes(mine, id, ({ status }: Signup) => status === "failed", pass());
    expect(nextOf(ended)).toMatchObject({ name: "exchange", error: { code: "code_expired", retryable: false } });
    provider.mend();
    await resume(mine, id, { code: codeFor(signups, [account]) });
    await completed(mine, id);
  });

  it("for longer than a day: it fails at its step, and resume goes on from there", async () => {
    provider.fail(/subscribed_apps/, "html");
    const id = await begin(mine, { code: codeFor(signups, [account]) });
    await becomes(mine, id, (signup: Signup) => nextOf(signup)?.error?.code === "provider_unavailable");
    gateway.clock.advance(23 * 3_600_000);
    const ended = await failed(mine, id);
    expect(nextOf(ended)).toMatchObject({ name: "subscribe", status: "failed", error: { retryable: false } });
    expect(nextOf(ended).detail).toContain("resume");
    provider.mend();
    await resume(mine, id);
    await completed(mine, id);
    expect(provider.asked.filter((call) => /oauth/.test(call))).toHaveLength(1);
  });
});

describe("what is kept", () => {
  const sweep = () => gateway.features.timers.find(({ name }) => name === "sweep signups")?.run();
  const DAY_MS = 24 * 3_600_000;

  it("the secrets of a failed signup for 7 days; then resume needs a new code; after 90 more days it is gone", async () => {
    const wrong = addAccount(signups);
    const id = await begin(mine, { code: codeFor(signups, [account]), provider_account_id: wrong.wabaId });
    await failed(mine, id);
    const kept = () => mine.rows("select access_token is null as erased, has_secrets from embedded_signup");
    gateway.clock.advance(6 * DAY_MS);
    await gateway.partitionsAhead();
    await sweep();
    expect(await kept()).toEqual([{ erased: false, has_secrets: true }]);
    gateway.clock.advance(1.1 * DAY_MS);
    await sweep();
    expect(await kept()).toEqual([{ erased: true, has_secrets: false }]);
    const reply = await mine.call("POST", `/v1/embedded-signups/${id}/resume`, {
      body: { provider_account_id: account.wabaId },
    });
    expect(reply).toMatchObject({ status: 409, body: { code: "conflict" } });
    expect(reply.body.detail).toContain("new code");
    gateway.clock.advance(91 * DAY_MS);
    await gateway.partitionsAhead();
    await sweep();
    expect((await mine.call("GET", `/v1/embedded-signups/${id}`)).status).toBe(404);
  });

  it("a signup whose task is gone is given up, and can be resumed", async () => {
    provider.fail(/subscribed_apps/, "html");
    const id = await begin(mine, { code: codeFor(signups, [account]) });
    await becomes(mine, id, (signup: Signup) => nextOf(signup)?.error?.code === "provider_unavailable");
    await gateway.app.db.transaction(mine.uuid, (sql) =>
      sql.run(
        "update embedded_signup set sweep_at = now() - interval '1 hour', next_try_at = next_try_at + interval '9 hours' where claim is null",
      ),
    );
    await sweep();
    expect(nextOf(await failed(mine, id))).toMatchObject({ name: "subscribe", error: { code: "given_up" } });
    provider.mend();
    await resume(mine, id);
    await completed(mine, id);
    await expectConnectedOnce();
  });
});
