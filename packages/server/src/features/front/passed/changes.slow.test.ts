import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Gateway, type Sender, startGateway, type Workspace } from "../../../testing/gateway.ts";
import { PATIENCE } from "../../../testing/patience.ts";
import { expectGraphError, ofAccount, ofNumber, VERSION } from "../testing/front.ts";
import { openProviderStub, type ProviderStub } from "../testing/provider-stub.ts";

let gateway: Gateway;
let provider: ProviderStub;
let mine: Sender;
let theirs: Sender;

beforeAll(async () => {
  provider = await openProviderStub();
  gateway = await startGateway({ PROVIDER_BASE_URL: provider.url, API_RATE_LIMIT: "off" });
  provider.standBefore(gateway.simulator.url);
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
});
afterAll(async () => {
  await gateway.stop();
  await provider.close();
});
beforeEach(() => provider.says(() => null));

const qr = () => ofNumber(mine, "/message_qrdls");
const CREATED = {
  code: "4O4YGZEG3RIVE1",
  prefilled_message: "Hi",
  deep_link_url: "https://wa.me/message/4O4YGZEG3RIVE1",
};
/** The stub answers calls below the path's first part, and nothing else. */
const saysOf = (edge: string, answer: Parameters<ProviderStub["says"]>[0]) =>
  provider.says((asked) => (asked.path.split("?", 1)[0]?.endsWith(edge) ? answer(asked) : null));
const auditOf = async (action: string, of: Workspace = mine) => {
  await gateway.audited();
  return await of.rows(
    "select resource_type, resource_id, path, status, changes from audit where action = $1 order by id",
    [action],
  );
};
const keyOf = async (options: object): Promise<Sender> => {
  const { body } = await mine.call("POST", "/v1/api-keys", { body: { name: "Limited", ...options } });
  return { ...mine, key: body.key, call: gateway.as(body.key) };
};

describe("a change that is passed on", () => {
  it("has an audit row ahead of it, and one of its end", async () => {
    saysOf("/settings", async () => {
      expect(await mine.rows("select status from audit where action = 'number_settings.update'")).toEqual([
        { status: 202 },
      ]);
      return { body: { success: true } };
    });
    const reply = await mine.call("POST", ofNumber(mine, "/settings"), { body: { calling: { status: "ENABLED" } } });
    expect([reply.status, reply.body]).toEqual([200, { success: true }]);
    expect(JSON.parse(provider.asked[0]?.body ?? "")).toEqual({ calling: { status: "ENABLED" } });
    const common = { resource_type: "phone_number", resource_id: mine.phoneNumberId, path: "/{number}/settings" };
    expect(await auditOf("number_settings.update")).toEqual([
      { ...common, status: 202, changes: { passed: "POST /{number}/settings" } },
      { ...common, status: 200, changes: null },
    ]);
  });

  it("is not passed on while its audit row cannot be written", async () => {
    provider.says(() => ({ body: { success: true } }));
    gateway.databaseProxy.cut();
    const reply = await mine.call("POST", qr(), { body: { prefilled_message: "Hi" } });
    gateway.databaseProxy.mend();
    expectGraphError(reply, 503, 2);
    expect(provider.asked).toEqual([]);
  });

  it("is never said to be undone where the database has gone since", async () => {
    saysOf("/message_qrdls", () => {
      gateway.databaseProxy.cut();
      return { body: { ...CREATED, id: "123456789012" } };
    });
    const reply = await mine.call("POST", qr(), { body: { prefilled_message: "Hi" } });
    gateway.databaseProxy.mend();
    expectGraphError(reply, 500, 1);
    expect(reply.body.error).toMatchObject({
      is_transient: false,
      error_data: { details: expect.stringContaining("may have been done") },
    });
    expect((await auditOf("qr_code.create")).map(({ status }) => status)).toContain(202);
  });

  it("whose answer is lost is not to be repeated", async () => {
    saysOf("/message_qrdls", () => "cut");
    const lost = await mine.call("POST", qr(), { body: { prefilled_message: "Hi" } });
    expectGraphError(lost, 500, 1);
    expect(lost.body.error.is_transient).toBe(false);
    saysOf("/message_qrdls", () => ({ body: "<html></html>", headers: { "content-type": "text/html" } }));
    expectGraphError(await mine.call("POST", qr(), { body: { prefilled_message: "Hi" } }), 500, 1);
    saysOf("/message_qrdls", () => ({ status: 302, body: "", headers: { location: "http://127.0.0.1:1/" } }));
    expectGraphError(await mine.call("POST", qr(), { body: { prefilled_message: "Hi" } }), 500, 1);
  });

  it("that the provider refuses has the provider's error, with its status", async () => {
    const error = { message: "(#131009) Bad", type: "OAuthException", code: 131009, fbtrace_id: "A" };
    saysOf("/message_qrdls", () => ({ status: 400, body: { error } }));
    const reply = await mine.call("POST", qr(), { body: { prefilled_message: "" } });
    expect([reply.status, reply.body]).toEqual([400, { error }]);
    expect(reply.headers["content-type"]).toMatch(/^application\/json/);
  });

  it("is made once with a key, and its answer is given again", async () => {
    saysOf("/message_qrdls", () => ({ body: CREATED }));
    const request = { body: { prefilled_message: "Hi" }, headers: { "idempotency-key": "qr-1" } };
    const first = await mine.call("POST", qr(), request);
    const again = await mine.call("POST", qr(), request);
    expect([first.status, first.body]).toEqual([200, CREATED]);
    expect([again.status, again.text, again.headers["idempotent-replayed"]]).toEqual([200, first.text, "true"]);
    expect(provider.asked).toHaveLength(1);
    const other = { ...request, body: { prefilled_message: "Other" } };
    expectGraphError(await mine.call("POST", qr(), other), 400, 100);
    expect(provider.asked).toHaveLength(1);
    // A twin whose first answer was lost is made no second time either.
    saysOf("/message_qrdls", () => "cut");
    const lost = { body: { prefilled_message: "Hi" }, headers: { "idempotency-key": "qr-2" } };
    expectGraphError(await mine.call("POST", qr(), lost), 500, 1);
    saysOf("/message_qrdls", () => ({ body: CREATED }));
    expect((await mine.call("POST", qr(), lost)).status).toBe(409);
    expect(provider.asked).toEqual([]);
  });

  it("that was refused may be tried again with the same key", async () => {
    const error = { message: "(#100) Bad", type: "OAuthException", code: 100, fbtrace_id: "A" };
    saysOf("/message_qrdls", () => ({ status: 400, body: { error } }));
    const request = { body: { prefilled_message: "Hi" }, headers: { "idempotency-key": "qr-3" } };
    expect((await mine.call("POST", qr(), request)).status).toBe(400);
    saysOf("/message_qrdls", () => ({ body: CREATED }));
    expect((await mine.call("POST", qr(), request)).body).toEqual(CREATED);
  });

  it("is made once by many twins at the same moment", async () => {
    saysOf("/message_qrdls", () => ({ body: CREATED }));
    const request = { body: { prefilled_message: "Hi" }, headers: { "idempotency-key": "qr-4" } };
    const replies = await Promise.all(Array.from({ length: 10 }, () => mine.call("POST", qr(), request)));
    expect(provider.asked).toHaveLength(1);
    for (const { status } of replies) expect([200, 409]).toContain(status);
    expect((await mine.call("POST", qr(), request)).body).toEqual(CREATED);
  });

  it("of templates has them read again", async () => {
    const id = mine.account.templates["paused_notice"] ?? Object.values(mine.account.templates)[0];
    saysOf("/unpause", () => ({ body: { success: true } }));
    const before = gateway.simulator.stats().management_calls[mine.account.wabaId]?.["list_templates"] ?? 0;
    expect((await mine.call("POST", `/${VERSION}/${id}/unpause`)).body).toEqual({ success: true });
    await expect
      .poll(() => gateway.simulator.stats().management_calls[mine.account.wabaId]?.["list_templates"] ?? 0, PATIENCE)
      .toBeGreaterThan(before);
  });
});

describe("through to the provider", () => {
  it("QR codes, as clients write them: all in the query, with a slash at the end, page by page", async () => {
    const query = "prefilled_message=One two&generate_qr_image=PNG";
    const made = await mine.call("POST", `${qr()}/?${encodeURI(query)}`);
    expect([made.status, made.body]).toEqual([200, expect.objectContaining({ prefilled_message: "One two" })]);
    const { code } = made.body;
    await mine.call("POST", qr(), { body: { prefilled_message: "Three" } });
    const changed = await mine.call("POST", `${qr()}/${code}/?prefilled_message=Two`);
    expect(changed.body).toMatchObject({ code, prefilled_message: "Two" });
    const first = await mine.call("GET", `${qr()}?limit=1&fields=code,prefilled_message`);
    expect(first.body.data).toEqual([{ code, prefilled_message: "Two" }]);
    const next = new URL(first.body.paging.next);
    const second = await mine.call("GET", `${next.pathname}${next.search}`);
    expect(second.body).toEqual({
      data: [expect.objectContaining({ prefilled_message: "Three" })],
      paging: expect.anything(),
    });
    expect((await mine.call("DELETE", `${qr()}/${code}`)).body).toEqual({ success: true });
    expect((await mine.call("GET", `${qr()}/${code}`)).body.error.code).toBe(100);
  });

  it("blocked people, whose removal has a body; the kept answer goes with the person", async () => {
    const path = ofNumber(mine, "/block_users");
    const { contact_id: contact } = await mine.inbound("+15557770001");
    const body = { messaging_product: "whatsapp", block_users: [{ user: "15557770001" }] };
    const blocked = await mine.call("POST", path, { body, headers: { "idempotency-key": "block-1" } });
    expect(blocked.body.block_users.added_users).toEqual([{ input: "15557770001", wa_id: "15557770001" }]);
    expect((await mine.call("GET", path)).body.data).toHaveLength(1);
    expect((await mine.call("DELETE", path, { body })).body.block_users.removed_users).toHaveLength(1);
    expect((await mine.call("GET", path)).body.data).toEqual([]);
    expect((await mine.call("DELETE", `/v1/contacts/${contact}`)).status).toBe(204);
    const again = await mine.call("POST", path, { body, headers: { "idempotency-key": "block-1" } });
    expect([again.status, again.text]).toEqual([409, expect.not.stringContaining("15557770001")]);
  });

  it("a flow from its first draft on", async () => {
    const body = { name: "Book", categories: ["OTHER"], flow_json: "{}" };
    const { id } = (await mine.call("POST", ofAccount(mine, "/flows"), { body })).body;
    expect((await mine.call("GET", ofAccount(mine, "/flows"))).body.data).toMatchObject([{ id, name: "Book" }]);
    expect((await mine.call("GET", `/${id}?fields=id,name,status,preview.invalidate(false)`)).body).toMatchObject({
      status: "DRAFT",
    });
    const copy = await mine.call("POST", ofAccount(mine, "/flows"), { body: { ...body, clone_flow_id: id } });
    expect(copy.body.success).toBe(true);
    expect((await mine.call("POST", `/${id}/publish`)).body).toEqual({ success: true });
    expect((await mine.call("DELETE", `/${id}`)).body.error.code).toBe(139_004);
    expectGraphError(await theirs.call("GET", `/${id}`), 400, 100, 33);
    expect((await mine.call("DELETE", `/${copy.body.id}`)).body).toEqual({ success: true });
  });

  it("settings in a query, and commands as JSON text", async () => {
    const commerce = ofNumber(mine, "/whatsapp_commerce_settings");
    expect((await mine.call("POST", `${commerce}?is_cart_enabled=false`)).body).toEqual({ success: true });
    expect((await mine.call("GET", `${commerce}?fields=is_cart_enabled`)).body.data).toEqual([
      { is_cart_enabled: false, id: mine.account.providerPhoneNumberId },
    ]);
    const body = { commands: JSON.stringify([{ command_name: "a", command_description: "b" }]), prompts: ["Hi"] };
    expect((await mine.call("POST", ofNumber(mine, "/conversational_automation"), { body })).body).toEqual({
      success: true,
    });
  });
});

describe("the account's token", () => {
  it("that is dead is not the client's: its key is not said to be wrong", async () => {
    const other = await gateway.sender();
    gateway.clock.advance(120_000); // a refusal so soon after the token may be of the one before
    const error = { message: "Error validating access token", type: "OAuthException", code: 190, error_subcode: 463 };
    saysOf("/settings", () => ({ status: 401, body: { error } }));
    expectGraphError(await other.call("GET", ofNumber(other, "/settings")), 400, 133010);
    const statusOf = async () => (await other.call("GET", "/v1/business-accounts")).body.data[0].status;
    await expect.poll(statusOf, PATIENCE).toBe("disconnected");
  });

  it("is not there while the account is not connected", async () => {
    const other = await gateway.sender();
    const { body } = await other.call("GET", "/v1/business-accounts");
    await other.call("DELETE", `/v1/business-accounts/${body.data[0].id}`);
    provider.says(() => ({ body: {} }));
    expectGraphError(await other.call("GET", ofNumber(other, "/settings")), 400, 133010);
    expect(provider.asked).toEqual([]);
  });
});

describe("a read that is passed on", () => {
  it("may be repeated where it was not answered", async () => {
    saysOf("/settings", () => "cut");
    const reply = await mine.call("GET", ofNumber(mine, "/settings"));
    expectGraphError(reply, 503, 2);
    expect(reply.body.error.is_transient).toBe(true);
  });

  it("asks for fields of the list, and of numbers that are the caller's", async () => {
    saysOf("/settings", () => ({ body: { calling: {} } }));
    expect((await mine.call("GET", ofNumber(mine, "/settings?fields=calling,storage_configuration"))).status).toBe(200);
    expect(provider.asked[0]?.path).toContain("fields=calling%2Cstorage_configuration&");
    expectGraphError(await mine.call("GET", ofNumber(mine, "/settings?fields=calling,owner_business")), 400, 100);
    expectGraphError(await mine.call("GET", ofNumber(mine, "/username?fields=id")), 400, 100);
    expect(provider.asked).toHaveLength(1);
  });

  it.each(["..", ".", "a%2Fb", "%2E%2E", "a%5Cb", "%252e%252e", "x?y"])(
    "leads nowhere else by a part %j of its path",
    async (part) => {
      provider.says(() => ({ body: { data: [] } }));
      const { status } = await mine.call("GET", `${qr()}/${part}`);
      for (const { path } of provider.asked)
        expect(path).toMatch(new RegExp(`^/v26\\.0/${mine.account.providerPhoneNumberId}/message_qrdls(/x)?\\?`));
      expect([200, 400, 404]).toContain(status);
    },
  );
});

describe("objects that the provider alone knows", () => {
  const FLOW = "550000000000001";
  const GROUP = "Y2FwaV9ncm91cDoxNTU1";
  const flowOf = (account: string) => ({
    id: FLOW,
    name: "Book",
    whatsapp_business_account: { id: account, name: "S" },
  });

  it("are a flow of the account", async () => {
    provider.says(({ path }) => (path.includes(FLOW) ? { body: flowOf(mine.account.wabaId) } : null));
    const read = await mine.call("GET", `/${FLOW}?fields=id,name,application,whatsapp_business_account`);
    expect([read.status, read.body]).toEqual([200, flowOf(mine.account.wabaId)]);
    expect((await mine.call("POST", `/${VERSION}/${FLOW}`, { body: { name: "Book" } })).status).toBe(200);
    expect((await mine.call("DELETE", `/${VERSION}/${FLOW}`)).status).toBe(200);
    expect(provider.asked.map(({ method }) => method)).toEqual(["GET", "GET", "GET", "POST", "GET", "DELETE"]);
    expectGraphError(await mine.call("POST", `/${VERSION}/${FLOW}`, { body: { application_id: "1" } }), 400, 100);
  });

  it.each([
    ["of another workspace", () => theirs.account.wabaId],
    ["of an account that is not here", () => "98765"],
  ])("are not a flow %s, whose account the token may see", async (_whose, account) => {
    provider.says(({ path }) => (path.includes(FLOW) ? { body: flowOf(account()) } : null));
    expectGraphError(await mine.call("GET", `/${VERSION}/${FLOW}`), 400, 100, 33);
    expectGraphError(await mine.call("DELETE", `/${VERSION}/${FLOW}`), 400, 100, 33);
    expectGraphError(await mine.call("POST", `/${VERSION}/${FLOW}/publish`), 400, 100, 33);
    const body = { name: "Copy", clone_flow_id: FLOW, categories: ["OTHER"] };
    expectGraphError(await mine.call("POST", ofAccount(mine, "/flows"), { body }), 400, 100, 33);
    expect(provider.asked.every(({ method }) => method === "GET")).toBe(true);
  });

  it("are not said to be unknown where the provider did not answer", async () => {
    provider.says(({ path }) => (path.includes(FLOW) ? "cut" : null));
    expectGraphError(await mine.call("GET", `/${VERSION}/${FLOW}`), 503, 2);
  });

  it("are a group of a number that the key may use", async () => {
    provider.says(({ path }) => {
      if (path.startsWith(`/v26.0/${mine.account.providerPhoneNumberId}/groups`))
        return { body: { data: [{ id: GROUP }] } };
      return path.includes(GROUP) ? { body: { id: GROUP, subject: "Us" } } : null;
    });
    expect((await mine.call("GET", `/${VERSION}/${GROUP}`)).body).toEqual({ id: GROUP, subject: "Us" });
    expectGraphError(await theirs.call("GET", `/${VERSION}/${GROUP}`), 400, 100, 33);
  });

  it("are asked for once a page leads on, and not for ever", async () => {
    provider.says(({ path }) =>
      path.includes("/groups")
        ? { body: { data: [{ id: "other" }], paging: { cursors: { after: `${Math.random()}` } } } }
        : null,
    );
    expectGraphError(await mine.call("GET", `/${VERSION}/${GROUP}`), 400, 100, 33);
    expect(provider.asked).toHaveLength(10);
  });

  it("upload files", async () => {
    provider.says(({ path }) => {
      if (path.includes("/assets")) return { body: { success: true, validation_errors: [] } };
      return path.includes(FLOW) ? { body: flowOf(mine.account.wabaId) } : null;
    });
    const part = (head: string, text: string) => `--x\r\ncontent-disposition: form-data; ${head}\r\n\r\n${text}\r\n`;
    const body = `${part('name="file"; filename="flow.json"\r\ncontent-type: application/json', '{"screens":[]}')}${part('name="asset_type"', "FLOW_JSON")}${part('name="name"', "flow.json")}${part('name="access_token"', "EAAOTHER")}--x--\r\n`;
    const headers = { "content-type": "multipart/form-data; boundary=x" };
    const reply = await mine.call("POST", `/${VERSION}/${FLOW}/assets`, { body, headers });
    expect([reply.status, reply.body]).toEqual([200, { success: true, validation_errors: [] }]);
    const sent = provider.asked.at(-1);
    expect(sent?.headers["content-type"]).toMatch(/^multipart\/form-data; boundary=waypost-/);
    expect(sent?.body).toContain(
      'name="file"; filename="flow.json"\r\ncontent-type: application/json\r\n\r\n{"screens":[]}\r\n',
    );
    expect(sent?.body).not.toContain("EAAOTHER");
    const two = `${part('name="file"; filename="a"', "1")}${part('name="b"; filename="b"', "2")}--x--\r\n`;
    expectGraphError(await mine.call("POST", `/${VERSION}/${FLOW}/assets`, { body: two, headers }), 400, 100);
    expectGraphError(await mine.call("POST", qr(), { body: two, headers }), 400, 100);
  });
});

describe("accounts", () => {
  it("have their analytics from the provider, and all else from Waypost", async () => {
    const analytics = {
      granularity: "DAY",
      data_points: [{ start: 1_543_543_200, end: 1_543_629_600, sent: 196_093 }],
    };
    const fields = "id,analytics.start(1543543200).end(1544148000).granularity(DAY)";
    provider.says(({ path }) => (path.includes("analytics") ? { body: { id: mine.account.wabaId, analytics } } : null));
    const read = await mine.call("GET", ofAccount(mine, `?fields=${fields}`));
    expect([read.status, read.body]).toEqual([200, { id: mine.account.wabaId, analytics }]);
    expectGraphError(await mine.call("GET", ofAccount(mine, `?fields=${fields},phone_numbers`)), 400, 100);
    expectGraphError(await mine.call("GET", ofAccount(theirs, `?fields=${fields}`)), 400, 100, 33);
    expect(provider.asked).toHaveLength(1);
  });

  it("have settings that are passed on, and others that are not", async () => {
    provider.says(({ method }) => (method === "POST" ? { body: { id: mine.account.wabaId } } : null));
    const body = { disable_marketing_messages_on_cloud_api: true };
    expect((await mine.call("POST", ofAccount(mine), { body })).body).toEqual({ id: mine.account.wabaId });
    expectGraphError(await mine.call("POST", ofAccount(mine), { body: { primary_funding_id: "1" } }), 400, 100);
    expectGraphError(await mine.call("POST", ofAccount(theirs), { body }), 400, 100, 33);
    expect(provider.asked).toHaveLength(1);
  });
});

describe("who may", () => {
  it("needs accounts:write, also to read", async () => {
    const reader = await keyOf({ scopes: ["accounts:read", "messages:write"] });
    provider.says(() => ({ body: {} }));
    expectGraphError(await reader.call("GET", ofNumber(mine, "/settings")), 403, 10);
    expectGraphError(await reader.call("POST", qr(), { body: {} }), 403, 10);
    expectGraphError(await reader.call("GET", `/${VERSION}/550000000000001`), 400, 100, 33);
    expectGraphError(await reader.call("POST", ofAccount(mine), { body: {} }), 403, 10);
    expect(provider.asked).toEqual([]);
  });

  it("with a key that is limited to a number, asks for that number alone", async () => {
    const limited = await keyOf({ scopes: ["accounts:write"], phone_number_ids: [mine.phoneNumberId] });
    saysOf("/message_qrdls", () => ({ body: { data: [] } }));
    expect((await limited.call("GET", qr())).status).toBe(200);
    expectGraphError(await limited.call("GET", ofAccount(mine, "/flows")), 403, 10);
    expectGraphError(await limited.call("GET", ofNumber(theirs, "/message_qrdls")), 400, 100, 33);
  });
});

describe("what is not passed on", () => {
  it.each([
    ["POST", "/{number}/register", "embedded-signups"],
    ["POST", "/{number}/deregister", "embedded-signups"],
    ["POST", "/{number}/request_code", "embedded-signups"],
    ["POST", "/{number}/verify_code", "embedded-signups"],
    ["POST", "/{account}/phone_numbers", "/v1/business-accounts"],
    ["GET", "/oauth/access_token?client_id=1&code=2", "/v1/business-accounts"],
    ["POST", "/42424242/subscriptions", "/v1/webhook-endpoints"],
  ] as const)("%s %s is refused with Waypost's own way", async (method, path, way) => {
    provider.says(() => ({ body: { success: true } }));
    const { providerPhoneNumberId, wabaId } = mine.account;
    const reply = await mine.call(
      method,
      `/${VERSION}${path.replace("{number}", providerPhoneNumberId).replace("{account}", wabaId)}`,
    );
    expectGraphError(reply, 403, 10);
    expect([reply.body.error.message, reply.body.error.error_data.details]).toEqual(
      [1, 2].map(() => expect.stringContaining(way)),
    );
    expect(provider.asked).toEqual([]);
  });

  it("is a PIN, and every call that is not listed", async () => {
    provider.says(() => ({ body: { success: true } }));
    expectGraphError(await mine.call("POST", ofNumber(mine), { body: { pin: "123456" } }), 403, 10);
    for (const [method, path] of [
      ["GET", ofAccount(mine, "/assigned_users")],
      ["POST", ofAccount(mine, "/migrate_flows")],
      ["GET", ofNumber(mine, "/message_history")],
      ["DELETE", ofAccount(mine)],
      ["GET", `/${VERSION}/${mine.account.wabaId}/flows/x/y`],
    ] as const) {
      const reply = await mine.call(method, path);
      expect([path, reply.body.error.code]).toEqual([path, method === "DELETE" ? 100 : 3]);
    }
    expect(provider.asked).toEqual([]);
  });
});
