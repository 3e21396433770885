import { describe, expect, it } from "vitest";
import { ACCOUNT, startDemo } from "./testing/demo.ts";

const demo = await startDemo();
const { connect, events, gateway, simulator } = demo;

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
    const templates = await gateway.as(demo.workspaceId)("GET", "/v1/templates?limit=100");
    expect(templates.body.data).toHaveLength(6);
    expect(await events()).toEqual([]); // a first import emits no events
    expect(await demo.replayed()).toBe(2);
    expect(
      await gateway.rows(
        demo.workspaceId,
        "select action, resource_id, status from audit where action = 'business_account.connect'",
      ),
    ).toEqual([{ action: "business_account.connect", resource_id: body.id, status: 201 }]);
  });

  it("stores the token nowhere in readable form", async () => {
    const secret = "EAASIMsecretsecret";
    simulator.addAccount({ waba_id: "9100", name: "S", business_id: "7100", token: secret, phone_numbers: [] });
    const { status, text } = await connect(demo.workspaceId, { provider_account_id: "9100", access_token: secret });
    expect(status).toBe(201);
    const asked = await fetch(`${simulator.url}/v26.0/9100/subscribed_apps`, {
      headers: { authorization: `Bearer ${secret}` },
    });
    expect(await asked.json()).toMatchObject({ data: [{}] }); // the app is subscribed
    expect(text).not.toContain(secret);
    for (const table of ["business_account", "job", "task", "audit", "event"]) {
      const rows = await gateway.rows<{ all: string }>(demo.workspaceId, `select t::text as all from ${table} t`);
      const hex = Buffer.from(secret).toString("hex");
      expect(rows.some(({ all }) => all.includes(secret) || all.includes(hex))).toBe(false);
    }
  });

  it("replays earlier callbacks again when the process was killed after the commit and before the replay", async () => {
    const { sql } = gateway.app.db;
    await sql.run("alter table ingest add constraint killed_here check (false) not valid");
    try {
      expect((await connect()).status).toBe(201);
    } finally {
      await sql.run("alter table ingest drop constraint killed_here");
    }
    expect(await gateway.rows(demo.workspaceId, "select 1 from job where error is not null")).toHaveLength(1);
    expect(await demo.replayed()).toBe(0);
    gateway.clock.advance(2_000);
    await gateway.work(gateway.kind, demo.workspaceId);
    expect(await demo.replayed()).toBe(2);
  });

  it.each([
    ["letters in the id", { provider_account_id: "90x1", access_token: "t" }, "/provider_account_id"],
    ["a token with a space", { provider_account_id: "9001", access_token: "a b" }, "/access_token"],
    ["no token", { provider_account_id: "9001" }, ""],
    ["an unknown field", { ...ACCOUNT, pin: "1" }, ""],
  ])("refuses %s", async (_name, body, pointer) => {
    const reply = await gateway.as(demo.workspaceId)("POST", "/v1/business-accounts", { body });
    expect(reply).toMatchObject({ status: 400, body: { code: "invalid_request" } });
    expect(reply.body.errors[0].pointer).toContain(pointer);
    expect(reply.text).not.toContain("a b");
    expect(await gateway.rows(demo.workspaceId, "select 1 from business_account")).toEqual([]);
  });
});

describe("an account of two workspaces", () => {
  it("belongs to the first; the second gets 409 without the other's name, and the account once the first disconnects", async () => {
    const first = await connect();
    const other = await gateway.workspace();
    const refused = await connect(other);
    expect(refused).toMatchObject({ status: 409, body: { code: "conflict" } });
    expect(refused.body.detail).toContain("another workspace");
    expect(refused.text).not.toContain(demo.workspaceId);
    expect((await gateway.as(other)("GET", "/v1/business-accounts")).body.data).toEqual([]);
    const path = `/v1/business-accounts/${first.body.id}`;
    expect((await gateway.as(demo.workspaceId)("GET", path)).body.status).toBe("connected");

    await gateway.as(demo.workspaceId)("DELETE", path);
    expect(await connect(other)).toMatchObject({ status: 201, body: { status: "connected" } });
    // Now it is the other way round.
    expect((await connect()).status).toBe(409);
    expect((await gateway.as(demo.workspaceId)("GET", path)).body.status).toBe("disconnected");
  });

  it("goes to one of two that connect at once", async () => {
    const other = await gateway.workspace();
    const replies = await Promise.all([connect(), connect(other)]);
    const [won, lost] = replies.map(({ status }) => status).toSorted();
    expect(won).toBe(201);
    // 503: it waited too long for the other's transaction, and may try again.
    expect([409, 503]).toContain(lost);
    const lists = await Promise.all(
      [demo.workspaceId, other].map((id) => gateway.as(id)("GET", "/v1/business-accounts")),
    );
    expect(lists.flatMap(({ body }) => body.data)).toMatchObject([{ status: "connected" }]);
  });

  it("is 404 for the second in every path, and missing from its lists", async () => {
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
    expect((await gateway.as(demo.workspaceId)("GET", `/v1/phone-numbers/${number}`)).body.description).toBeNull();
  });
});

describe("disconnecting", () => {
  it("erases the token, stops sending, keeps the account in the list, and may be repeated", async () => {
    const { body } = await connect();
    const path = `/v1/business-accounts/${body.id}`;
    expect(await gateway.as(demo.workspaceId)("DELETE", path)).toMatchObject({ status: 204, text: "" });
    expect((await gateway.as(demo.workspaceId)("GET", path)).body).toMatchObject({
      status: "disconnected",
      phone_numbers: [{ phone: "+15559990000" }],
    });
    expect(await gateway.rows(demo.workspaceId, "select access_token, pending_token from business_account")).toEqual([
      { access_token: null, pending_token: null },
    ]);
    expect(await gateway.senders.ofWorkspace(demo.workspaceId)).toMatchObject([
      { usable: false, reason: "account_disconnected" },
    ]);
    expect((await gateway.as(demo.workspaceId)("DELETE", path)).status).toBe(204);
    expect(await events()).toEqual([]); // it was the workspace's own request
    expect(
      await gateway.rows(
        demo.workspaceId,
        "select changes from audit where action = 'business_account.disconnect' order by id",
      ),
    ).toMatchObject([{ changes: { status: { before: "connected", after: "disconnected" } } }, {}]);
  });
});
