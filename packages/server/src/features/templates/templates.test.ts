import { type Simulator, startSimulator } from "@waypost/simulator";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { parseId } from "../../lib/ids.ts";
import { createWhatsApp } from "../../provider/whatsapp/adapter.ts";
import { type AccountsApp, startAccounts } from "../accounts/testing/app.ts";
import { importTemplates } from "./import.ts";
import { checkParameters } from "./parameters.ts";
import { requestTemplateRefetch } from "./refetch.ts";
import { templateChangeData, templateEventData } from "./render.ts";
import { selectTemplateRow, type TemplateRow } from "./store.ts";

const TOKEN = "EAATPL";
const BODY = { type: "BODY", text: "Hi {{1}}." };
let simulator: Simulator;
let gateway: AccountsApp;
let workspaceId: string;
let accountId: string;
let wabaId = 9300;

beforeAll(async () => {
  simulator = await startSimulator({ appSecret: "secret", verifyToken: "verify" });
  const options = { baseUrl: simulator.url, apiVersion: "v26.0", appSecrets: ["secret"], verifyToken: "verify" };
  gateway = await startAccounts(createWhatsApp(options));
});
afterAll(async () => {
  await gateway.app.provider.close();
  await gateway.stop();
  await simulator.close();
});

const template = (name: string, more: object = {}) => ({
  name,
  language: "en_US",
  category: "UTILITY",
  components: [BODY],
  ...more,
});
beforeEach(async () => {
  wabaId += 1;
  const templates = [
    template("one"),
    template("two", { status: "PENDING" as const }),
    template("two", { language: "de", category: "MARKETING" }),
  ];
  const phone_numbers = [{ id: `7${wabaId}`, display_phone_number: `+1 555-300-${wabaId}` }];
  simulator.addAccount({
    waba_id: String(wabaId),
    name: "T",
    business_id: "7300",
    token: TOKEN + wabaId,
    phone_numbers,
    templates,
  });
  workspaceId = await gateway.workspace();
  const { status, body } = await connect();
  expect(status).toBe(201);
  accountId = parseId("acc", body.id)!;
});

const connect = () =>
  gateway.connect(workspaceId, { provider_account_id: String(wabaId), access_token: TOKEN + wabaId });
const list = async (query = "") => (await gateway.as(workspaceId)("GET", `/v1/templates${query}`)).body;
const one = async (name: string, language = "en_US") => (await list(`?name=${name}&language=${language}`)).data[0];
const row = (id: string): Promise<TemplateRow | null> =>
  gateway.app.db.read(workspaceId, (sql) => selectTemplateRow(sql, workspaceId, parseId("tpl", id)!));
const events = () =>
  gateway.rows<{ kind: string; state: unknown; resource_id: string }>(
    workspaceId,
    "select kind, state, resource_id from event order by sequence",
  );
const refetch = (providerTemplateId: string) =>
  requestTemplateRefetch(gateway.app, workspaceId, {
    businessAccountId: accountId,
    providerTemplateId,
    now: gateway.clock.now(),
  });
const work = () => gateway.work(gateway.kind, workspaceId);

describe("GET /v1/templates", () => {
  it("has the contract's fields, filters and pages", async () => {
    const first = await one("one");
    expect(first).toEqual({
      id: expect.stringMatching(/^tpl_/),
      business_account_id: expect.stringMatching(/^acc_/),
      provider_template_id: expect.any(String),
      name: "one",
      language: { code: "en_US" },
      category: "utility",
      status: "approved",
      quality: "unknown",
      components: [BODY],
      parameter_format: "positional",
      rejection_reason: null,
      created_at: expect.any(String),
      updated_at: expect.any(String),
    });
    const counts = await Promise.all(
      ["", "?name=two", "?status=pending", "?language=de", "?category=marketing", "?name=tw", "?status=deleted"].map(
        async (query) => (await list(query)).data.length,
      ),
    );
    expect(counts).toEqual([3, 2, 1, 1, 1, 0, 0]);
    const page = await list("?limit=2");
    const rest = await list(`?limit=2&cursor=${page.next_cursor}`);
    expect([page.data.length, rest.data.length, rest.next_cursor]).toEqual([2, 1, null]);
  });

  it("filters by a phone number; another workspace's, or none at all, gives an empty list", async () => {
    const [number] = (await gateway.as(workspaceId)("GET", "/v1/phone-numbers")).body.data;
    expect((await list(`?phone_number_id=${number.id}`)).data).toHaveLength(3);
    expect((await list("?phone_number_id=num_nonsense")).data).toEqual([]);
    const stranger = gateway.as(await gateway.workspace());
    expect((await stranger("GET", `/v1/templates?phone_number_id=${number.id}`)).body.data).toEqual([]);
  });

  it("refuses filters that it does not know", async () => {
    for (const query of ["?status=great", "?colour=red", "?limit=101", "?cursor=x"])
      expect((await gateway.as(workspaceId)("GET", `/v1/templates${query}`)).status).toBe(400);
  });

  it("reads one with an ETag; another workspace's and a wrong prefix are 404", async () => {
    const { id } = await one("one");
    const reply = await gateway.as(workspaceId)("GET", `/v1/templates/${id}`);
    expect(reply).toMatchObject({ status: 200, body: { id }, headers: { etag: '"1"' } });
    const stranger = await gateway.as(await gateway.workspace())("GET", `/v1/templates/${id}`);
    expect(stranger).toMatchObject({ status: 404, body: { code: "not_found" } });
    expect((await gateway.as(workspaceId)("GET", `/v1/templates/${id.replace("tpl", "msg")}`)).status).toBe(404);
  });
});

describe("a template that changes at the provider", () => {
  it("is fetched again: its revision grows, and one event with its previous status goes to the endpoints that listen", async () => {
    const endpoint = `insert into webhook_endpoint (workspace_id, id, url, events, secret, created_at, updated_at) values ($1, gen_random_uuid(), 'https://a.example', $2, '', now(), now())`;
    await gateway.app.db.transaction(workspaceId, async (sql) => {
      await sql.run(endpoint, [workspaceId, ["approved"]]);
      await sql.run(endpoint, [workspaceId, ["*"]]);
      await sql.run(endpoint, [workspaceId, ["messages"]]);
    });
    const pending = (await list("?status=pending")).data[0];
    simulator.decideTemplate(pending.provider_template_id, { status: "APPROVED" });
    await refetch(pending.provider_template_id);
    const before = gateway.hints.length;
    await work();
    const [event, ...more] = await events();
    expect(more).toEqual([]);
    expect(event).toMatchObject({ kind: "approved", resource_id: parseId("tpl", pending.id) });
    expect(templateEventData(event!.state)).toEqual({
      template: (await gateway.as(workspaceId)("GET", `/v1/templates/${pending.id}`)).body,
      previous_status: "pending",
      reason: null,
      detail: null,
    });
    expect((await row(pending.id))?.revision).toBe(2);
    const delivered = await gateway.rows<{ slot: number }>(workspaceId, "select slot from deliver");
    expect(delivered).toHaveLength(2);
    const hinted = gateway.hints
      .slice(before)
      .filter(({ kind }) => kind === "deliver")
      .flatMap(({ slots }) => slots);
    expect(new Set(hinted)).toEqual(new Set(delivered.map(({ slot }) => slot)));

    // The callback is received twice: nothing more happens.
    await refetch(pending.provider_template_id);
    await work();
    expect(await events()).toHaveLength(1);
    expect((await row(pending.id))?.revision).toBe(2);
  });

  it("shows why it was rejected, and becomes deleted when the provider no longer has it", async () => {
    const pending = (await list("?status=pending")).data[0];
    simulator.decideTemplate(pending.provider_template_id, { status: "REJECTED", reason: "SCAM" });
    await refetch(pending.provider_template_id);
    await work();
    expect(await one("two")).toMatchObject({ status: "rejected", rejection_reason: "SCAM" });
    expect(templateEventData((await events())[0]!.state)).toMatchObject({ previous_status: "pending", reason: "SCAM" });

    const kept = await one("one");
    simulator.addAccount({
      waba_id: String(wabaId),
      name: "T",
      business_id: "7300",
      token: TOKEN + wabaId,
      phone_numbers: [],
    });
    await refetch(kept.provider_template_id);
    await work();
    expect((await events()).map(({ kind }) => kind)).toEqual(["rejected", "deleted"]);
    expect(await gateway.templates.find(workspaceId, accountId, "one", "en_US")).toMatchObject({
      status: "deleted",
    });
  });

  it("that was deleted and created again is followed to its new id, by name and language", async () => {
    const [old, german] = [await one("one"), await one("two", "de")];
    const offer = { type: "BODY", text: "An offer for {{1}} and {{2}}." };
    const { template_ids } = simulator.addAccount({
      waba_id: String(wabaId),
      name: "T",
      business_id: "7300",
      token: TOKEN + wabaId,
      phone_numbers: [],
      templates: [
        template("one_more"),
        template("one", { components: [offer] }),
        template("one", { language: "de" }),
        template("two"),
      ],
    });
    await refetch(old.provider_template_id);
    await work();
    expect(await one("one")).toMatchObject({
      id: old.id,
      provider_template_id: template_ids[1],
      status: "approved",
      components: [offer],
    });
    expect(await events()).toEqual([]);
    expect(await gateway.templates.find(workspaceId, accountId, "one_more", "en_US")).toBeNull();
    await refetch(german.provider_template_id);
    await work();
    expect(await one("two", "de")).toMatchObject({ id: german.id, status: "deleted" });
    expect((await events()).map(({ kind }) => kind)).toEqual(["deleted"]);
  });

  it("is found by a new import too: new, changed and missing templates, each with its event", async () => {
    simulator.addAccount({
      waba_id: String(wabaId),
      name: "T",
      business_id: "7300",
      token: TOKEN + wabaId,
      phone_numbers: [{ id: `7${wabaId}`, display_phone_number: `+1 555-300-${wabaId}` }],
      templates: [template("one", { status: "PAUSED" as const }), template("three")],
    });
    expect((await connect()).status).toBe(201);
    const sent = (await events()).map(({ kind, state }) => {
      const { template: current, previous_status } = templateEventData(state);
      return [kind, current.name, current.language.code, previous_status];
    });
    expect(sent.toSorted((a, b) => a.join().localeCompare(b.join()))).toEqual([
      ["approved", "three", "en_US", null],
      ["deleted", "two", "de", "approved"],
      ["deleted", "two", "en_US", "pending"],
      ["paused", "one", "en_US", "approved"],
    ]);
    expect((await connect()).status).toBe(201);
    expect(await events()).toHaveLength(4); // nothing changed, so there is no event
  });

  it("of another account or workspace is left alone", async () => {
    const mine = await one("one");
    const other = await gateway.workspace();
    await requestTemplateRefetch(gateway.app, other, {
      businessAccountId: accountId,
      providerTemplateId: mine.provider_template_id,
      now: gateway.clock.now(),
    });
    expect(await gateway.work(gateway.kind, other)).toMatchObject([{ kind: "done" }]);
    expect(await gateway.rows(other, "select 1 from template")).toEqual([]);
  });

  it("is fetched again when an answer is older than what is stored, which it never overwrites", async () => {
    const { id } = await one("one");
    const old = (await row(id))!;
    const provided = (status: "approved" | "paused") => ({
      providerTemplateId: old.provider_template_id,
      name: "one",
      language: "en_US",
      category: "utility",
      status,
      quality: "unknown",
      parameterFormat: "positional" as const,
      components: [BODY],
      rejectionReason: null,
    });
    const write = (status: "approved" | "paused", readAt: number) =>
      gateway.app.db.transaction(workspaceId, (sql) =>
        importTemplates(sql, workspaceId, {
          businessAccountId: accountId,
          templates: [provided(status)],
          complete: false,
          first: false,
          readAt,
          now: gateway.clock.now(),
        }),
      );
    const asked = gateway.clock.now();
    gateway.clock.advance(50);
    expect(await write("paused", gateway.clock.now())).toMatchObject({ stale: [] });
    expect(await write("approved", asked)).toEqual({
      changed: 0,
      slots: [],
      stale: [old.provider_template_id],
      held: [],
    });
    expect(await one("one")).toMatchObject({ status: "paused" });
    gateway.clock.advance(50);
    expect(await write("approved", gateway.clock.now())).toMatchObject({ stale: [] });
    expect((await events()).map(({ kind }) => kind)).toEqual(["paused", "approved"]);
  });

  it("reports a new category and a new quality, each with what it was, and none of a template that is new", async () => {
    const { id, provider_template_id: providerTemplateId } = await one("one");
    const same = {
      name: "one",
      language: "en_US",
      parameterFormat: "positional" as const,
      components: [BODY],
      rejectionReason: null,
    };
    const write = async (more: object) => {
      gateway.clock.advance(50);
      const found = {
        ...same,
        providerTemplateId,
        status: "approved" as const,
        category: "utility",
        quality: "unknown",
        ...more,
      };
      const input = { businessAccountId: accountId, templates: [found], complete: false, first: false };
      const times = { readAt: gateway.clock.now(), now: gateway.clock.now() };
      await gateway.app.db.transaction(workspaceId, (sql) => importTemplates(sql, workspaceId, { ...input, ...times }));
    };
    await write({ quality: "green" });
    await write({ quality: "red", category: "marketing", status: "paused" });
    await write({ quality: "red", category: "marketing", status: "paused" });
    await write({ name: "another", providerTemplateId: "1", quality: "yellow" });
    const sent = (await events()).map(({ kind, state, resource_id }) => {
      const { template: current, ...data } = kind.startsWith("template_")
        ? templateChangeData(state)
        : templateEventData(state);
      expect(parseId("tpl", current.id)).toBe(resource_id);
      return [kind, current.name, data];
    });
    expect(sent).toEqual([
      ["template_quality_changed", "one", { previous: "unknown", current: "green" }],
      ["paused", "one", { previous_status: "approved", reason: null, detail: null }],
      ["template_category_changed", "one", { previous: "utility", current: "marketing", effective_at: null }],
      ["template_quality_changed", "one", { previous: "green", current: "red" }],
      ["approved", "another", { previous_status: null, reason: null, detail: null }],
    ]);
    expect(await one("one")).toMatchObject({ id, category: "marketing", quality: "red" });
  });

  it("is tried again when the provider fails, and not at all when the account is not connected", async () => {
    const { provider_template_id } = await one("one");
    await refetch(provider_template_id);
    simulator.setTokenDeath(String(wabaId), 463);
    expect(await work()).toMatchObject([{ kind: "later" }]);
    expect(await gateway.rows(workspaceId, "select 1 from job where kind = 'account.check'")).toHaveLength(1);
    gateway.clock.advance(5_000);
    await work(); // the check disconnects
    gateway.clock.advance(60_000);
    expect((await work()).every(({ kind }) => kind === "done")).toBe(true);
    expect(await gateway.rows(workspaceId, "select 1 from task")).toEqual([]);
  });
});

describe("the cache of sending", () => {
  const find = (name = "one", language = "en_US") => gateway.templates.find(workspaceId, accountId, name, language);

  it("returns what sending needs, and checks components", async () => {
    const found = await find();
    expect(found).toMatchObject({ status: "approved", category: "utility", revision: 1 });
    const check = (components: unknown) => checkParameters(found!.definition, components);
    expect(check([{ type: "body", parameters: [{ type: "text", text: "Ana" }] }])).toEqual([]);
    expect(check(undefined)).toMatchObject([{ pointer: "/template/components" }]);
    expect(await find("unknown")).toBeNull();
    expect(await find("one", "fr")).toBeNull();
    expect(await find("one\nen_US", "x")).toBeNull();
    // Asked together, read in one call.
    const stranger = await gateway.workspace();
    const asked = [workspaceId, stranger].map((one) => gateway.templates.find(one, accountId, "one", "en_US"));
    expect((await Promise.all(asked)).map((found) => found?.id ?? null)).toEqual([expect.any(String), null]);
  });

  it("is four seconds old at most for an approved template, not at all once forgotten, nor before a refusal", async () => {
    await find();
    const change = (status: string) =>
      gateway.app.db.transaction(workspaceId, (sql) =>
        sql.run("update template set status = $2 where workspace_id = $1 and name = 'one'", [workspaceId, status]),
      );
    await change("paused");
    expect((await find())?.status).toBe("approved");
    gateway.clock.advance(4_000);
    expect((await find())?.status).toBe("paused");
    await change("approved");
    expect((await find())?.status).toBe("approved");
    await change("disabled");
    expect((await find())?.status).toBe("approved");
    gateway.templates.forget(workspaceId);
    expect((await find())?.status).toBe("disabled");
  });
});
