import { describe, expect, it, vi } from "vitest";
import { PATIENCE } from "../../testing/patience.ts";
import { ACCOUNT, accountUuid, demoWith, startDemo, TOKEN } from "./testing/demo.ts";
import { sealToken } from "./token.ts";

const demo = await startDemo();
const { connect, connects, events, gateway, provider, simulator } = demo;

const WRONG = { ...ACCOUNT, access_token: "EAAWRONG" };
const TEN_SECONDS_MS = 10_000;

const post = (body: object = ACCOUNT, headers: Record<string, string> = {}, id = demo.workspaceId) => {
  connects(id);
  return gateway.as(id)("POST", "/v1/business-accounts", { body, headers });
};
const accounts = async () => (await gateway.as(demo.workspaceId)("GET", "/v1/business-accounts")).body.data;
const count = async (table: string): Promise<number> =>
  (await gateway.rows(demo.workspaceId, `select 1 from ${table}`)).length;
const work = () => gateway.work(gateway.kind, demo.workspaceId);
const asked = () => vi.waitFor(() => expect(provider.asked.length).toBeGreaterThan(0), PATIENCE);
const audited = () =>
  vi.waitFor(async () => {
    gateway.clock.advance(1_000); // the rows of refusals are written together
    const text = "select status, code from audit where action = 'business_account.connect' order by at, id";
    const rows = await gateway.rows<{ status: number; code: string | null }>(demo.workspaceId, text);
    expect(rows.length).toBeGreaterThan(0);
    return rows;
  }, PATIENCE);

/** Posts while the provider is silent: after ten seconds the pending token is committed and the answer is 202. */
async function postUnanswered(body: object = ACCOUNT, id = demo.workspaceId) {
  provider.become("silent");
  provider.asked.length = 0;
  const waiting = post(body, {}, id);
  await asked();
  gateway.clock.advance(TEN_SECONDS_MS);
  return await waiting;
}

describe("a refusal", () => {
  it.each([
    ["the token", WRONG, 190],
    ["the account", { ...ACCOUNT, provider_account_id: "999999" }, 100],
  ])("of %s is 422 with the provider's text, and nothing is stored", async (_name, body, code) => {
    const { status, body: problem, text } = await post(body);
    expect(status).toBe(422);
    expect(problem).toMatchObject({ code: "provider_rejected", retryable: false });
    expect(problem.provider).toMatchObject({ code, title: expect.any(String) });
    expect(Object.keys(problem.provider)).toEqual(["code", "subcode", "title", "details", "trace_id"]);
    expect(problem.detail).toContain(problem.provider.title);
    expect(text).not.toContain("EAAWRONG");
    expect(await accounts()).toEqual([]);
    for (const table of ["business_account", "job", "task", "event"])
      expect([table, await count(table)]).toEqual([table, 0]);
    expect(await audited()).toEqual([{ status: 422, code: "provider_rejected" }]);
  });

  it("commits no key: the same one is executed once the cause is gone", async () => {
    const key = { "x-idempotency-key": "connect-1" };
    const body = { ...ACCOUNT, access_token: "EAASOON" };
    expect((await post(body, key)).status).toBe(422);
    expect(await count("idempotency_key")).toBe(0);
    simulator.addAccount(demoWith("EAASOON"));
    const connected = await post(body, key);
    expect(connected.status).toBe(201);
    provider.asked.length = 0;
    const again = await post(body, key);
    expect(again).toMatchObject({ status: 201, text: connected.text });
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(provider.asked).toEqual([]); // a known key is replayed without asking the provider
    expect(await count("business_account")).toBe(1);
  });

  it("of the new token of a connected account leaves the account as it is", async () => {
    const { body: before } = await connect();
    gateway.clock.advance(1);
    const refused = await post(WRONG);
    expect(refused).toMatchObject({ status: 422, body: { code: "provider_rejected", provider: { code: 190 } } });
    expect(await accounts()).toEqual([before]);
    gateway.clock.advance(4_000);
    expect(await gateway.token(demo.workspaceId, accountUuid(before.id))).toBe(TOKEN);
    expect(await events()).toEqual([]);
  });

  it("of an account that was disconnected keeps it, because messages refer to it", async () => {
    const { body } = await connect();
    await gateway.as(demo.workspaceId)("DELETE", `/v1/business-accounts/${body.id}`);
    const before = await accounts();
    expect((await post(WRONG)).status).toBe(422);
    expect(await accounts()).toEqual(before);
    expect(before).toMatchObject([{ status: "disconnected", phone_numbers: [{ phone: "+15559990000" }] }]);
  });
});

describe("a new token", () => {
  it("replaces the old one under the same ids", async () => {
    const first = await connect();
    const id = accountUuid(first.body.id);
    expect(await gateway.token(demo.workspaceId, id)).toBe(TOKEN);
    simulator.addAccount(demoWith("EAANEW"));
    gateway.clock.advance(1);
    const second = await connect(demo.workspaceId, { ...ACCOUNT, access_token: "EAANEW" });
    expect(second).toMatchObject({ status: 201, body: { id: first.body.id } });
    expect(second.body.phone_numbers.map((one: { id: string }) => one.id)).toEqual(
      first.body.phone_numbers.map((one: { id: string }) => one.id),
    );
    expect(await gateway.token(demo.workspaceId, id)).toBe("EAANEW");
  });

  it("is read again when the account has changed, by whichever process's clock, and else only every ten minutes", async () => {
    const { workspaceId } = demo;
    const { body } = await connect();
    const id = accountUuid(body.id);
    expect(await gateway.token(workspaceId, id)).toBe(TOKEN);
    const change = (token: string, more = "") =>
      gateway.app.db.transaction(workspaceId, (sql) =>
        sql.run(`update business_account set access_token = $2${more} where id = $1`, [
          id,
          sealToken(gateway.app.secrets, workspaceId, id, token),
        ]),
      );
    await change("EAAEARLIER", ", updated_at = updated_at - interval '1 second'");
    expect(await gateway.token(workspaceId, id)).toBe("EAAEARLIER");
    await change("EAAUNSEEN");
    gateway.clock.advance(4 * 60_000);
    expect(await gateway.token(workspaceId, id)).toBe("EAAEARLIER");
    gateway.clock.advance(6 * 60_000);
    expect(await gateway.token(workspaceId, id)).toBe("EAAUNSEEN");
  });

  it("posted together with wrong ones: each gets its own answer, and the account uses the good one", async () => {
    const replies = await Promise.all([post(WRONG), post(ACCOUNT), post(WRONG)]);
    expect(replies.map(({ status }) => status)).toEqual([422, 201, 422]);
    const [account] = await accounts();
    expect(account.status).toBe("connected");
    expect(await gateway.token(demo.workspaceId, accountUuid(account.id))).toBe(TOKEN);
  });

  it("posted twice at once creates one account and gives two answers", async () => {
    const replies = await Promise.all([post(ACCOUNT), post(ACCOUNT)]);
    expect(replies.map(({ status }) => status)).toEqual([201, 201]);
    expect(new Set(replies.map(({ body }) => body.id)).size).toBe(1);
    await work();
    expect(await accounts()).toMatchObject([{ status: "connected" }]);
  });

  it("that is verified replaces an older one that is still pending", async () => {
    const wished = await postUnanswered({ ...ACCOUNT, access_token: "EAAOLDER" });
    provider.become("well");
    simulator.addAccount(demoWith("EAANEWER"));
    expect((await post({ ...ACCOUNT, access_token: "EAANEWER" })).body.id).toBe(wished.body.id);
    simulator.addAccount(demoWith("EAAOLDER"));
    await work();
    expect(await gateway.token(demo.workspaceId, accountUuid(wished.body.id))).toBe("EAANEWER");
    expect(await demo.replayed()).toBe(2);
  });
});

describe("no answer within ten seconds", () => {
  it.each(["silent", "broken"] as const)("(%s) is 202, and a task connects once the provider is back", async (mood) => {
    provider.become(mood);
    const waiting = post(ACCOUNT);
    await asked();
    expect(await count("business_account")).toBe(0);
    gateway.clock.advance(TEN_SECONDS_MS);
    const { status, body, headers } = await waiting;
    expect([status, body.status, body.status_reason]).toEqual([202, "connecting", null]);
    expect(headers["location"]).toBe(`/v1/business-accounts/${body.id}`);
    expect(await audited()).toEqual([{ status: 202, code: null }]);

    provider.become("well");
    expect(await work()).toMatchObject([{ kind: "done" }]);
    expect(await accounts()).toMatchObject([{ id: body.id, status: "connected", name: "Demo Shop" }]);
    expect(await demo.replayed()).toBe(2);
  });

  it("asks the provider again meanwhile: an answer within the time is 201, or 422", async () => {
    for (const [body, status] of [
      [WRONG, 422],
      [ACCOUNT, 201],
    ] as const) {
      provider.become("broken");
      provider.asked.length = 0;
      const waiting = post(body);
      await asked();
      provider.become("well");
      // The first pause is about a second; its timer is set once the answer has been read.
      await vi.waitFor(async () => {
        gateway.clock.advance(500);
        expect(provider.asked.length).toBeGreaterThan(1);
      }, PATIENCE);
      expect((await waiting).status).toBe(status);
    }
  });

  it("keeps its key: the first answer is replayed, and the account has the result", async () => {
    provider.become("silent");
    const key = { "x-idempotency-key": "connect-slow" };
    const waiting = post(ACCOUNT, key);
    await asked();
    gateway.clock.advance(TEN_SECONDS_MS);
    const first = await waiting;
    provider.become("well");
    await work();
    const again = await post(ACCOUNT, key);
    expect(again).toMatchObject({ status: 202, text: first.text });
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(await count("job")).toBe(1);
    expect(await accounts()).toMatchObject([{ status: "connected" }]);
  });

  it("and a later refusal is returned with the account that was never connected, until it is deleted", async () => {
    const { body } = await postUnanswered(WRONG);
    provider.become("well");
    await work();
    const path = `/v1/business-accounts/${body.id}`;
    const read = await gateway.as(demo.workspaceId)("GET", path);
    expect(read.body).toMatchObject({ status: "disconnected", status_reason: expect.stringMatching(/access token/i) });
    expect(read.text).not.toContain("EAAWRONG");
    expect(await events()).toEqual([]); // it was never connected
    expect(await gateway.token(demo.workspaceId, accountUuid(body.id))).toBeNull();

    const stranger = gateway.as(await gateway.workspace());
    expect((await stranger("DELETE", path)).status).toBe(404);
    expect((await gateway.as(demo.workspaceId)("DELETE", path)).status).toBe(204);
    expect((await gateway.as(demo.workspaceId)("GET", path)).status).toBe(404);
    expect(await count("business_account")).toBe(0);
    const changes = "select changes from audit where action = 'business_account.disconnect'";
    expect(await gateway.rows(demo.workspaceId, changes)).toEqual([
      { changes: { status: { before: "disconnected", after: null } } },
    ]);
  });

  it("and a later refusal leaves a connected account working, with its reason", async () => {
    const { body: before } = await connect();
    gateway.clock.advance(1);
    expect(await postUnanswered(WRONG)).toMatchObject({ status: 202, body: { status: "connected" } });
    provider.become("well");
    await work();
    const [account] = await accounts();
    expect(account).toMatchObject({ id: before.id, status: "connected" });
    expect(account.status_reason).toContain("new access token was refused");
    expect(await gateway.token(demo.workspaceId, accountUuid(before.id))).toBe(TOKEN);
    // The next good token clears the reason.
    expect((await connect()).body.status_reason).toBeNull();
  });

  it("and the account can be posted while it is being deleted: it is there again, with a new id", async () => {
    const { body } = await postUnanswered();
    provider.become("well");
    let again: ReturnType<typeof post> | undefined;
    await gateway.app.db.transaction(demo.workspaceId, async (sql) => {
      // As DELETE does it.
      await sql.query("select from business_account where id = $1 for update", [accountUuid(body.id)]);
      again = post();
      const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
      await vi.waitFor(async () => expect(await gateway.app.db.sql.query(waiting)).toHaveLength(1), PATIENCE);
      await sql.run("delete from business_account where id = $1", [accountUuid(body.id)]);
    });
    expect(await again).toMatchObject({ status: 201, body: { status: "connected" } });
    expect(await accounts()).toMatchObject([{ status: "connected" }]);
    expect((await accounts())[0].id).not.toBe(body.id);
  });

  it("and a disconnect meanwhile wins", async () => {
    const { body } = await postUnanswered();
    await gateway.as(demo.workspaceId)("DELETE", `/v1/business-accounts/${body.id}`);
    provider.become("well");
    await work();
    expect(await accounts()).toEqual([]);
    expect(await demo.replayed()).toBe(0);
  });
});

describe("an account that was connected before, and waits for a new token", () => {
  const disconnected = async () => {
    const { body } = await connect();
    await gateway.as(demo.workspaceId)("DELETE", `/v1/business-accounts/${body.id}`);
  };

  it("is not held from a workspace whose token the provider takes", async () => {
    await disconnected();
    expect(await postUnanswered(WRONG)).toMatchObject({ status: 202, body: { status: "connecting" } });
    provider.become("well");
    const other = await gateway.workspace();
    expect(await connect(other)).toMatchObject({ status: 201, body: { status: "connected" } });
    expect(await accounts()).toMatchObject([{ status: "connecting" }]);

    // Though its token were good: the account is the other's now.
    simulator.addAccount(demoWith(WRONG.access_token));
    await work();
    const reason = expect.stringContaining("connected in another workspace");
    expect(await accounts()).toMatchObject([{ status: "disconnected", status_reason: reason }]);
    const { data } = (await gateway.as(other)("GET", "/v1/business-accounts")).body;
    expect(data).toMatchObject([{ status: "connected" }]);
  });

  it("goes with all of its routes to one of two workspaces that both wait", async () => {
    await disconnected();
    const both = [demo.workspaceId, await gateway.workspace()];
    for (const id of both) expect((await postUnanswered(ACCOUNT, id)).body.status).toBe("connecting");
    provider.become("well");
    // One that meets the other in the midst of the same is tried again.
    const states = await vi.waitFor(async () => {
      await Promise.all(both.map((id) => gateway.work(gateway.kind, id)));
      gateway.clock.advance(TEN_SECONDS_MS);
      const lists = await Promise.all(both.map((id) => gateway.as(id)("GET", "/v1/business-accounts")));
      const found = lists.map(({ body }) => body.data[0].status);
      expect(found.toSorted()).toEqual(["connected", "disconnected"]);
      return found;
    }, PATIENCE);
    const owners = await gateway.app.db.sql.query(
      `select workspace_id from business_account_route where provider_account_id = '9001'
       union select workspace_id from phone_number_route where provider_phone_number_id = '1055'`,
    );
    expect(owners).toEqual([{ workspace_id: both[states.indexOf("connected")] }]);
  });
});

it("verifies a few accounts of one workspace at once, the rest by tasks, and other workspaces do not wait", async () => {
  provider.become("silent");
  const slow = Array.from({ length: 4 }, () => post(ACCOUNT));
  // Each has made its first call only: the other two wait for it.
  await vi.waitFor(() => expect(provider.asked).toHaveLength(4), PATIENCE);
  const fifth = post(ACCOUNT);
  await vi.waitFor(async () => expect(await count("task")).toBe(1), PATIENCE);
  provider.become("well");
  const other = await gateway.workspace();
  simulator.addAccount({ waba_id: "9300", name: "O", business_id: "7300", token: "EAAOTHER", phone_numbers: [] });
  const free = await post({ provider_account_id: "9300", access_token: "EAAOTHER" }, {}, other);
  expect(free.status).toBe(201);
  await work();
  gateway.clock.advance(TEN_SECONDS_MS);
  for (const reply of await Promise.all([...slow, fifth])) expect([201, 202]).toContain(reply.status);
  await work();
  expect(await accounts()).toMatchObject([{ status: "connected" }]);
});
