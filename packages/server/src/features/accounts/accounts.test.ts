import { describe, expect, it, vi } from "vitest";
import {
  ACCOUNT,
  accountUuid,
  connect,
  connects,
  events,
  gateway,
  providerAway,
  simulator,
  TOKEN,
  useDemo,
  workspaceId,
} from "./testing/demo.ts";

useDemo();

describe("connecting", () => {
  it("answers 201 with everything imported: numbers, default number, templates, routes, audit", async () => {
    const { status, body, headers } = await connect();
    expect(status).toBe(201);
    expect(headers["location"]).toBe(`/v1/business-accounts/${body.id}`);
    expect(body).toMatchObject({
      provider_account_id: "9001",
      name: "Demo Shop",
      status: "connected",
      status_reason: null,
      portfolio_id: "7001",
    });
    expect(body.phone_numbers).toEqual([
      expect.objectContaining({
        provider_phone_number_id: "1055",
        phone: "+15559990000",
        is_default: true,
        status: "connected",
        business_account_id: body.id,
        throughput_per_second: 80,
      }),
    ]);
    const templates = await gateway.as(workspaceId)("GET", "/v1/templates?limit=100");
    expect(templates.body.data).toHaveLength(6);
    expect(await events()).toEqual([]); // a first import is no news
    expect(gateway.connected).toEqual([
      {
        workspaceId,
        businessAccountId: accountUuid(body.id),
        providerAccountId: "9001",
        providerPhoneNumberIds: ["1055"],
      },
    ]);
    expect(
      await gateway.rows(
        workspaceId,
        "select action, resource_id, status from audit where action = 'business_account.connect'",
      ),
    ).toEqual([{ action: "business_account.connect", resource_id: body.id, status: 202 }]);
  });

  it("writes the token nowhere that a person or a dump could read it", async () => {
    const secret = "EAASIMsecretsecret";
    simulator.addAccount({ waba_id: "9100", name: "S", business_id: "7100", token: secret, phone_numbers: [] });
    const { status, text } = await connect(workspaceId, { provider_account_id: "9100", access_token: secret });
    expect(status).toBe(201);
    const asked = await fetch(`${simulator.url}/v26.0/9100/subscribed_apps`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    expect(await asked.json()).toMatchObject({ data: [{}] }); // its callbacks come to us
    expect(text).not.toContain(secret);
    for (const table of ["business_account", "job", "task", "audit", "event"]) {
      const rows = await gateway.rows<{ all: string }>(workspaceId, `select t::text as all from ${table} t`);
      const hex = Buffer.from(secret).toString("hex");
      expect(rows.some(({ all }) => all.includes(secret) || all.includes(hex))).toBe(false);
    }
  });

  it("replays the first answer and connects once", async () => {
    const headers = { "x-idempotency-key": "connect-1" };
    const call = () => gateway.as(workspaceId)("POST", "/v1/business-accounts", { body: ACCOUNT, headers });
    connects(workspaceId);
    const first = call();
    await vi.waitFor(async () => expect(await gateway.rows(workspaceId, "select 1 from task")).toHaveLength(1));
    await gateway.work(gateway.kind, workspaceId);
    expect((await first).status).toBe(201);
    const again = await call();
    expect(again).toMatchObject({ status: 202, body: { id: (await first).body.id, status: "connecting" } });
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(await gateway.rows(workspaceId, "select 1 from job")).toHaveLength(1);
  });

  it("answers 202 after ten seconds and goes on until the provider is back", async () => {
    const back = await providerAway();
    connects(workspaceId);
    const before = gateway.hints.length;
    const waiting = gateway.as(workspaceId)("POST", "/v1/business-accounts", { body: ACCOUNT });
    await vi.waitFor(() => expect(gateway.hints.length).toBeGreaterThan(before));
    expect(await gateway.work(gateway.kind, workspaceId)).toMatchObject([{ kind: "later" }]);
    gateway.clock.advance(10_000);
    const { status, body } = await waiting;
    expect({ status, account: body.status, reason: body.status_reason }).toEqual({
      status: 202,
      account: "connecting",
      reason: null,
    });

    await back();
    expect(await gateway.work(gateway.kind, workspaceId)).toEqual([{ kind: "done" }]);
    const { body: after } = await gateway.as(workspaceId)("GET", `/v1/business-accounts/${body.id}`);
    expect(after).toMatchObject({ status: "connected", name: "Demo Shop" });
  });

  it("ends as disconnected with the provider's reason when the token is refused", async () => {
    const { status, body } = await connect(workspaceId, { ...ACCOUNT, access_token: "EAAWRONG" });
    expect(status).toBe(202);
    expect(body.status).toBe("disconnected");
    expect(body.status_reason).toBeTruthy();
    expect(body.status_reason).not.toContain("EAAWRONG");
    expect(await events()).toEqual([]); // it was never connected
    expect(await gateway.token(workspaceId, accountUuid(body.id))).toBeNull();
  });

  it("tells of the connection again when the process was killed between commit and telling", async () => {
    gateway.failNext();
    const waiting = connect();
    await vi.waitFor(async () =>
      expect(await gateway.rows(workspaceId, "select 1 from job where error is not null")).toHaveLength(1),
    );
    expect(gateway.connected).toEqual([]);
    gateway.clock.advance(2_000);
    await gateway.work(gateway.kind, workspaceId);
    expect((await waiting).status).toBe(201);
    expect(gateway.connected).toHaveLength(1);
  });

  it.each([
    ["letters in the id", { provider_account_id: "90x1", access_token: "t" }, "/provider_account_id"],
    ["a token with a space", { provider_account_id: "9001", access_token: "a b" }, "/access_token"],
    ["no token", { provider_account_id: "9001" }, ""],
    ["an unknown field", { ...ACCOUNT, pin: "1" }, ""],
  ])("refuses %s", async (_name, body, pointer) => {
    const reply = await gateway.as(workspaceId)("POST", "/v1/business-accounts", { body });
    expect(reply).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    expect(reply.body.errors[0].pointer).toContain(pointer);
    expect(reply.text).not.toContain("a b");
    expect(await gateway.rows(workspaceId, "select 1 from business_account")).toEqual([]);
  });
});

describe("an account of two workspaces", () => {
  it("belongs to the first; the second is told so without a name, and gets it when the first lets go", async () => {
    const first = await connect();
    const other = await gateway.workspace();
    const refused = await connect(other);
    expect(refused).toMatchObject({ status: 202, body: { status: "disconnected", phone_numbers: [] } });
    expect(refused.body.status_reason).toContain("another workspace");
    expect(refused.text).not.toContain(workspaceId);
    expect((await gateway.as(workspaceId)("GET", `/v1/business-accounts/${first.body.id}`)).body.status).toBe(
      "connected",
    );

    await gateway.as(workspaceId)("DELETE", `/v1/business-accounts/${first.body.id}`);
    const taken = await connect(other);
    expect(taken).toMatchObject({ status: 201, body: { id: refused.body.id, status: "connected" } });
    // And now the first one is the stranger.
    expect((await connect()).body.status).toBe("disconnected");
  });

  it("goes to one of two that connect at once", async () => {
    const other = await gateway.workspace();
    const replies = await Promise.all([connect(), connect(other)]);
    for (const { status, body } of replies)
      if (status === 202 && body.status === "connecting") gateway.clock.advance(2_000);
    await gateway.work(gateway.kind, workspaceId);
    await gateway.work(gateway.kind, other);
    const states = await Promise.all(
      [workspaceId, other].map(
        async (id) => (await gateway.as(id)("GET", "/v1/business-accounts")).body.data[0].status,
      ),
    );
    expect(states.toSorted()).toEqual(["connected", "disconnected"]);
  });

  it("is 404 for the other in every path, and missing from its lists", async () => {
    const { body } = await connect();
    const stranger = gateway.as(await gateway.workspace());
    const number = body.phone_numbers[0].id;
    for (const path of [`/v1/business-accounts/${body.id}`, `/v1/phone-numbers/${number}`])
      expect(await stranger("GET", path)).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect((await stranger("DELETE", `/v1/business-accounts/${body.id}`)).status).toBe(404);
    expect((await stranger("PATCH", `/v1/phone-numbers/${number}`, { body: { description: "mine" } })).status).toBe(
      404,
    );
    for (const path of ["/v1/business-accounts", "/v1/phone-numbers"])
      expect((await stranger("GET", path)).body).toEqual({ data: [], next_cursor: null });
    expect((await gateway.as(workspaceId)("GET", `/v1/phone-numbers/${number}`)).body.description).toBeNull();
  });
});

describe("a new token", () => {
  it("replaces the old one under the same ids", async () => {
    const first = await connect();
    const id = accountUuid(first.body.id);
    expect(await gateway.token(workspaceId, id)).toBe(TOKEN);
    simulator.addAccount({ ...demoLike, token: "EAANEW" });
    gateway.clock.advance(1);
    const second = await connect(workspaceId, { ...ACCOUNT, access_token: "EAANEW" });
    expect(second).toMatchObject({ status: 201, body: { id: first.body.id } });
    expect(second.body.phone_numbers.map((one: { id: string }) => one.id)).toEqual(
      first.body.phone_numbers.map((one: { id: string }) => one.id),
    );
    expect(await gateway.token(workspaceId, id)).toBe("EAANEW");
  });

  it("that is refused leaves a connected account working with the old one", async () => {
    const first = await connect();
    const second = await connect(workspaceId, { ...ACCOUNT, access_token: "EAAWRONG" });
    expect(second).toMatchObject({ status: 202, body: { status: "connected" } });
    expect(second.body.status_reason).toContain("new access token was refused");
    gateway.clock.advance(4_000);
    expect(await gateway.token(workspaceId, accountUuid(first.body.id))).toBe(TOKEN);
    expect(await events()).toEqual([]);
    // The next good one clears the note.
    expect((await connect()).body.status_reason).toBeNull();
  });

  it("of two wishes at once the later one holds, and both answer", async () => {
    connects(workspaceId);
    simulator.addAccount({ ...demoLike, token: "EAALATER" });
    const post = (access_token: string) =>
      gateway.as(workspaceId)("POST", "/v1/business-accounts", { body: { ...ACCOUNT, access_token } });
    const first = post(TOKEN);
    await vi.waitFor(async () => expect(await gateway.rows(workspaceId, "select 1 from task")).toHaveLength(1));
    const second = post("EAALATER");
    await vi.waitFor(async () => expect(await gateway.rows(workspaceId, "select 1 from task")).toHaveLength(2));
    await gateway.work(gateway.kind, workspaceId);
    expect((await Promise.all([first, second])).map(({ status }) => status)).toEqual([201, 201]);
    const [account] = (await gateway.as(workspaceId)("GET", "/v1/business-accounts")).body.data;
    expect(await gateway.token(workspaceId, accountUuid(account.id))).toBe("EAALATER");
  });
});

/** As the simulator's own, to be given another token. */
const demoLike = {
  waba_id: "9001",
  name: "Demo Shop",
  business_id: "7001",
  phone_numbers: [{ id: "1055", display_phone_number: "+1 555-999-0000", verified_name: "Demo Shop" }],
};

describe("disconnecting", () => {
  it("erases the token, stops sending, keeps the account in the list, and may be repeated", async () => {
    const { body } = await connect();
    const path = `/v1/business-accounts/${body.id}`;
    expect(await gateway.as(workspaceId)("DELETE", path)).toMatchObject({ status: 204, text: "" });
    expect((await gateway.as(workspaceId)("GET", path)).body).toMatchObject({
      status: "disconnected",
      phone_numbers: [{ phone: "+15559990000" }],
    });
    expect(await gateway.rows(workspaceId, "select access_token, pending_token from business_account")).toEqual([
      { access_token: null, pending_token: null },
    ]);
    expect(await gateway.senders.ofWorkspace(workspaceId)).toMatchObject([
      { usable: false, reason: "account_disconnected" },
    ]);
    expect((await gateway.as(workspaceId)("DELETE", path)).status).toBe(204);
    expect(await events()).toEqual([]); // the workspace knows
    expect(
      await gateway.rows(
        workspaceId,
        "select changes from audit where action = 'business_account.disconnect' order by id",
      ),
    ).toMatchObject([{ changes: { status: { before: "connected", after: "disconnected" } } }, {}]);
  });

  it("during the connecting wins over it", async () => {
    connects(workspaceId);
    const waiting = gateway.as(workspaceId)("POST", "/v1/business-accounts", { body: ACCOUNT });
    await vi.waitFor(async () => expect(await gateway.rows(workspaceId, "select 1 from task")).toHaveLength(1));
    const [account] = (await gateway.as(workspaceId)("GET", "/v1/business-accounts")).body.data;
    await gateway.as(workspaceId)("DELETE", `/v1/business-accounts/${account.id}`);
    await gateway.work(gateway.kind, workspaceId);
    expect(await waiting).toMatchObject({ status: 202, body: { status: "disconnected" } });
    expect(gateway.connected).toEqual([]);
  });
});
