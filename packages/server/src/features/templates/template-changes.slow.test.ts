import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { type Gateway, type Sender, startGateway } from "../../testing/gateway.ts";
import { JPEG, PDF } from "../media/testing/files.ts";
import { openFiles, upload } from "../media/testing/uploading.ts";

let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
let made = 0;
let name: string;

beforeAll(async () => {
  gateway = await startGateway({ PROVIDER_APP_ID: "42", API_RATE_LIMIT: "off" });
  gateway.simulator.setDelays({ reviewMs: null });
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
});
afterAll(() => gateway.stop());
beforeEach(() => {
  gateway.simulator.clearFaults();
  made += 1;
  name = `change_${made}`;
});

const PATIENCE = { timeout: 30_000, interval: 20 };
const BODY = { type: "BODY", text: "Your order is ready." };
const definition = (more: object = {}) => ({
  name,
  language: { code: "en_US" },
  category: "utility",
  components: [BODY],
  ...more,
});
const submit = (more: object = {}, of: Sender = mine) => of.call("POST", "/v1/templates", { body: definition(more) });
/** Its changes alone: reads come into the log up to a second later, in between or not. */
const audited = (id: string) =>
  mine.rows<{ action: string; changes: unknown }>(
    "select action, changes from audit where resource_id = $1 and action <> 'template.read' order by id",
    [id],
  );
const accountOf = async (of: Sender): Promise<string> =>
  (await of.call("GET", "/v1/business-accounts")).body.data[0].id;

describe("POST /v1/templates", () => {
  it("answers as the provider has it, with ETag and Location, and writes row, event and audit row", async () => {
    const answer = await submit({ message_send_ttl_seconds: 600 });
    const { id } = answer.body;
    expect([answer.status, answer.headers["location"]]).toEqual([201, `/v1/templates/${id}`]);
    expect(answer.body).toMatchObject({
      name,
      status: "pending",
      quality: "unknown",
      business_account_id: await accountOf(mine),
    });
    const read = await mine.call("GET", `/v1/templates/${id}`);
    expect([read.body, read.headers["etag"]]).toEqual([answer.body, answer.headers["etag"]]);
    expect(await audited(id)).toEqual([
      { action: "template.create", changes: expect.objectContaining({ status: { before: null, after: "pending" } }) },
    ]);
    expect((await theirs.call("GET", `/v1/templates/${id}`)).status).toBe(404);
  });

  it("takes the account by its id or by one of its numbers, else that of the default number", async () => {
    const business_account_id = await accountOf(mine);
    for (const named of [{ business_account_id }, { phone_number_id: mine.phoneNumberId }]) {
      const answer = await submit(named);
      expect([answer.status, answer.body.business_account_id]).toEqual([201, business_account_id]);
      name += "_";
    }
    expect((await submit({ business_account_id, phone_number_id: mine.phoneNumberId })).status).toBe(400);
    for (const named of [{ business_account_id: await accountOf(theirs) }, { phone_number_id: theirs.phoneNumberId }]) {
      const answer = await submit(named);
      expect([answer.status, answer.body.code]).toEqual([422, "reference_not_found"]);
      expect(answer.body.errors[0].pointer).toBe(`/${Object.keys(named)[0]}`);
    }
    const nobody = await gateway.workspace();
    const answer = await nobody.call("POST", "/v1/templates", { body: definition() });
    expect([answer.status, answer.body.code]).toEqual([422, "sender_unavailable"]);
  });

  it("needs templates:write", async () => {
    const reader = await gateway.workspace(["templates:read"]);
    expect((await reader.call("POST", "/v1/templates", { body: definition() })).status).toBe(403);
    expect((await reader.call("POST", "/v1/templates/sync")).status).toBe(403);
  });

  it("reports the provider's refusal, and keeps nothing", async () => {
    const { body } = await submit({ name: "order_ready" });
    expect(body).toMatchObject({ status: 422, code: "provider_rejected", retryable: false });
    expect(body.provider).toMatchObject({
      code: 100,
      subcode: 2_388_024,
      title: expect.stringContaining("already exists"),
    });
    expect(body.provider.details).toContain("en_US");
    expect(await mine.rows("select 1 from template_submission")).toEqual([]);
  });

  it.each([
    ["for a time", { kind: "refuse", code: 131_057 }, 502, "provider_unavailable"],
    ["for its access", { kind: "refuse", code: 200 }, 422, "provider_rejected"],
  ] as const)("refused %s: nothing is done, and it can be repeated", async (_what, fault, status, code) => {
    gateway.simulator.addFault({ ...fault, operation: "create_template" });
    const answer = await submit();
    expect([answer.status, answer.body.code]).toEqual([status, code]);
    expect(answer.body.retryable).toBe(status === 502);
    expect((await mine.call("GET", `/v1/templates?name=${name}`)).body.data).toEqual([]);
    expect((await submit()).status).toBe(201);
  });

  it("at the provider's quota of calls is 429 with the time that the provider gives, and no call until then", async () => {
    const busy = await gateway.sender();
    gateway.simulator.setSettings({ managementCallsPerHour: 0 });
    const first = await submit({}, busy);
    const calls = { ...gateway.simulator.stats().management_calls[busy.account.wabaId] };
    const second = await submit({}, busy);
    gateway.simulator.setSettings({ managementCallsPerHour: null });
    for (const { status, body, headers } of [first, second]) {
      expect([status, body.code, headers["retry-after"]]).toEqual([429, "rate_limited", "3600"]);
      expect(body.detail).toContain("The template was not submitted");
    }
    expect(first.body.provider.code).toBe(80_007);
    expect(gateway.simulator.stats().management_calls[busy.account.wabaId]).toEqual(calls);
    expect(await busy.rows("select 1 from template_submission")).toEqual([]);
    gateway.clock.advance(3_600_000);
    expect((await submit({}, busy)).status).toBe(201);
  });

  it("stores another category than was asked for, and a name again after its deletion", async () => {
    const { body } = await submit();
    gateway.simulator.changeCategory(body.provider_template_id, { category: "MARKETING" });
    await vi.waitFor(async () => {
      expect((await mine.call("GET", `/v1/templates/${body.id}`)).body.category).toBe("marketing");
    }, PATIENCE);
    expect((await mine.call("DELETE", `/v1/templates/${body.id}`)).status).toBe(204);
    const again = await submit();
    expect([again.status, again.body.id, again.body.status]).toEqual([201, body.id, "pending"]);
    expect(again.body.provider_template_id).not.toBe(body.provider_template_id);
  });
});

describe("PATCH and DELETE /v1/templates/{id}", () => {
  it("edit and delete what the client has read, and nothing newer", async () => {
    const { body, headers } = await submit();
    const path = `/v1/templates/${body.id}`;
    const edit = (etag: string, components: object[] = [{ ...BODY, text: "Come and get it." }]) =>
      mine.call("PATCH", path, { body: { components }, headers: { "if-match": etag } });
    // Pending templates cannot be edited: the provider says so.
    const refused = await edit(headers["etag"]!);
    expect([refused.status, refused.body.provider.subcode]).toEqual([422, 2_388_039]);
    gateway.simulator.decideTemplate(body.provider_template_id, { status: "REJECTED", reason: "SCAM" });
    await vi.waitFor(async () => expect((await mine.call("GET", path)).body.status).toBe("rejected"), PATIENCE);
    const { headers: fresh } = await mine.call("GET", path);
    expect((await edit(headers["etag"]!)).body.code).toBe("precondition_failed");
    expect((await edit(fresh["etag"]!, [{ ...BODY, text: "" }])).body.errors[0].pointer).toBe("/components/0/text");
    const edited = await edit(fresh["etag"]!);
    expect([edited.status, edited.body.status]).toEqual([200, "pending"]);
    expect(edited.headers["etag"]).not.toBe(fresh["etag"]);
    expect((await mine.call("DELETE", path, { headers: { "if-match": fresh["etag"]! } })).status).toBe(412);
    expect((await mine.call("DELETE", path, { headers: { "if-match": edited.headers["etag"]! } })).status).toBe(204);
    expect((await mine.call("GET", path)).body.status).toBe("deleted");
    expect((await mine.call("DELETE", path)).status).toBe(409);
    expect((await theirs.call("DELETE", path)).status).toBe(404);
    expect((await theirs.call("PATCH", path, { body: { category: "marketing" } })).status).toBe(404);
    const changes = await audited(body.id);
    expect(changes.map(({ action }) => action)).toEqual(
      expect.arrayContaining(["template.create", "template.update", "template.delete"]),
    );
  });

  it("deletes one language and leaves the other", async () => {
    const german = await submit({ language: { code: "de" } });
    const english = await submit();
    expect((await mine.call("DELETE", `/v1/templates/${german.body.id}`)).status).toBe(204);
    expect((await mine.call("GET", `/v1/templates/${english.body.id}`)).body.status).toBe("pending");
  });
});

describe("samples given by link", () => {
  let files: Server;
  let base: string;
  beforeAll(async () => {
    files = createServer((request, response) => {
      const [type, bytes] = FILES[request.url ?? ""] ?? ["text/html", 10];
      if (request.url === "/moved") response.writeHead(302, { location: "/photo.jpg" }).end();
      else if (request.url === "/packed.jpg")
        response.writeHead(200, { "content-type": "image/jpeg", "content-encoding": "gzip" }).end(Buffer.alloc(10, 7));
      else if (request.url === "/missing") response.writeHead(404).end();
      else if (request.url === "/silent.jpg") onSilence();
      else if (request.url === "/endless.jpg") endless(response.writeHead(200, { "content-type": "image/jpeg" }));
      else response.writeHead(200, { "content-type": type }).end(Buffer.alloc(bytes, 7));
    });
    await new Promise<void>((resolve) => files.listen(0, "127.0.0.1", resolve));
    base = `http://127.0.0.1:${(files.address() as AddressInfo).port}`;
  });
  afterAll(() => files.close());
  let onSilence = (): void => undefined;
  /** Without a length, until the receiver has enough. */
  const endless = (response: ServerResponse): void => {
    const more = (): unknown => response.writable && response.write(Buffer.alloc(65_536, 7), () => setImmediate(more));
    more();
  };
  const FILES: Record<string, [string, number]> = {
    "/photo.jpg": ["image/jpeg", 1_000],
    "/large.jpg": ["image/jpeg", 5 * 1_048_576 + 1],
    "/clip.mp4": ["video/mp4", 100_000],
    "/empty.jpg": ["image/jpeg", 0],
  };
  const photo = (link: string) => ({ type: "HEADER", format: "IMAGE", example: { header_handle: [link] } });

  it("are uploaded, and the provider gets a handle", async () => {
    const answer = await submit({ components: [photo(`${base}/photo.jpg`), BODY] });
    expect(answer.status).toBe(201);
    const [handle] = answer.body.components[0].example.header_handle;
    expect(handle).toMatch(/^4::/);
    name += "_handle";
    expect((await submit({ components: [photo(handle), BODY] })).status).toBe(201);
  });

  it("of the cards of a carousel too", async () => {
    const video = { type: "HEADER", format: "VIDEO", example: { header_handle: [`${base}/clip.mp4`] } };
    const card = { components: [video, BODY] };
    const components = [BODY, { type: "CAROUSEL", cards: [card, card] }];
    expect((await submit({ category: "marketing", components })).status).toBe(201);
  });

  it("may be media by its id, of the type that the header takes and of this workspace", async () => {
    const sample = async (bytes: Uint8Array, of = mine) => (await upload(gateway, of, bytes)).body.id;
    const [own, pdf, foreign] = [await sample(JPEG), await sample(PDF), await sample(JPEG, theirs)];
    const answer = await submit({ components: [photo(own), BODY] });
    expect(answer.status).toBe(201);
    expect(answer.body.components[0].example.header_handle).toEqual([expect.stringMatching(/^4::/)]);
    name += "_refused";
    const refused = async (id: string) => {
      const { status, body } = await submit({ components: [photo(id), BODY] });
      return [status, body.code, body.errors?.[0].pointer];
    };
    const pointer = "/components/0/example/header_handle/0";
    expect(await refused(pdf)).toEqual([400, "invalid_request", pointer]);
    expect(await refused(foreign)).toEqual([422, "media_not_found", pointer]);
    expect(await refused("med_17")).toEqual([422, "media_not_found", pointer]);
  });

  it("of media leave no file open when the provider begins no upload", async () => {
    const { id } = (await upload(gateway, mine, JPEG)).body;
    gateway.simulator.addFault({ kind: "refuse", code: 100, operation: "upload" });
    const answer = await submit({ components: [photo(id), BODY] });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    // At once: what is forgotten is closed too, some time later, when its memory is collected.
    expect(await openFiles(gateway)).toEqual([]);
  });

  it.each([
    ["/missing", "HTTP 404"],
    ["/moved", "redirects"],
    ["/page.html", "text/html"],
    ["/packed.jpg", "compresses"],
    ["/large.jpg", "larger than 5 MB"],
    ["/endless.jpg", "larger than 5 MB"],
    ["/empty.jpg", "empty"],
  ])("%s cannot be used", async (path, detail) => {
    const answer = await submit({ components: [BODY, photo(base + path)] });
    expect([answer.status, answer.body.code]).toEqual([400, "invalid_request"]);
    expect(answer.body.errors).toEqual([
      {
        pointer: "/components/1/example/header_handle/0",
        code: "sample_unavailable",
        detail: expect.stringContaining(detail),
      },
    ]);
  });

  it.each(["http://10.0.0.1/a.jpg", "https://localhost.localdomain.invalid/a.jpg", "http://shop.example/a.jpg"])(
    "%s is not reached",
    async (link) => {
      const answer = await submit({ components: [photo(link), BODY] });
      expect([answer.status, answer.body.errors[0].code]).toEqual([400, "sample_unavailable"]);
    },
  );

  it("are 503 while the temporary folder takes no file, and nothing is submitted", async () => {
    vi.stubEnv("TMPDIR", "/proc/no-such-folder");
    try {
      const answer = await submit({ components: [photo(`${base}/photo.jpg`), BODY] });
      expect([answer.status, answer.body.code]).toEqual([503, "unavailable"]);
    } finally {
      vi.unstubAllEnvs();
    }
    expect((await submit({ components: [photo(`${base}/photo.jpg`), BODY] })).status).toBe(201);
  });

  it("of a server that does not answer are given up", async () => {
    const asked = new Promise<void>((resolve) => {
      onSilence = resolve;
    });
    const call = submit({ components: [photo(`${base}/silent.jpg`), BODY] });
    await asked;
    gateway.clock.advance(15_500);
    const answer = await call;
    expect([answer.status, answer.body.errors[0].code]).toEqual([400, "sample_unavailable"]);
    expect(answer.body.detail).toContain("within 15 s");
  });

  it("are fetched for two requests of a workspace at once; a third is 429, and others have places", async () => {
    let waiting = 0;
    onSilence = () => {
      waiting += 1;
    };
    const slow = { components: [photo(`${base}/silent.jpg`), BODY] };
    const calls = [submit(slow), submit({ ...slow, language: { code: "de" } })];
    await vi.waitFor(() => expect(waiting).toBe(2), PATIENCE);
    const third = await submit({ components: [photo(`${base}/photo.jpg`), BODY], name: `${name}_third` });
    expect([third.status, third.body.code, third.headers["retry-after"]]).toEqual([429, "rate_limited", "5"]);
    expect((await submit({ components: [photo(`${base}/photo.jpg`), BODY] }, theirs)).status).toBe(201);
    gateway.clock.advance(15_500);
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([400, 400]);
  });

  it("that the provider takes too long for are 502, and nothing is submitted", async () => {
    gateway.simulator.addFault({ kind: "hang", operation: "upload" });
    const call = submit({ components: [photo(`${base}/photo.jpg`), BODY] });
    await vi.waitFor(() => expect(gateway.simulator.faults()).toEqual([]), PATIENCE);
    gateway.clock.advance(35_500);
    const answer = await call;
    expect([answer.status, answer.body.code]).toEqual([502, "provider_unavailable"]);
    expect(answer.body.detail).toContain("no whole answer in the time");
    expect(await mine.rows("select 1 from template_submission")).toEqual([]);
  });

  it("that the provider refuses are told, and nothing is submitted", async () => {
    gateway.simulator.addFault({ kind: "refuse", code: 100, operation: "upload" });
    const answer = await submit({ components: [photo(`${base}/photo.jpg`), BODY] });
    expect([answer.status, answer.body.code]).toEqual([422, "provider_rejected"]);
    expect(answer.body.errors[0].pointer).toBe("/components/0/example/header_handle/0");
    expect((await mine.call("GET", `/v1/templates?name=${name}`)).body.data).toEqual([]);
  });
});

describe("POST /v1/templates/sync", () => {
  it("reads each account, tells which failed, and reports what has changed", async () => {
    const many = await gateway.sender();
    const second = await gateway.connect(many);
    const [newer, older] = (await many.call("GET", "/v1/business-accounts")).body.data.map(
      (one: { id: string }) => one.id,
    );
    const silently = { report: false } as const;
    gateway.simulator.decideTemplate(many.account.templates["order_ready"]!, { status: "PAUSED", ...silently });
    const BY_CONTROL = { language: "de", category: "UTILITY", components: [BODY] };
    gateway.simulator.addTemplate({ waba_id: many.account.wabaId, name: "made_there", ...BY_CONTROL });
    gateway.simulator.addFault({
      kind: "refuse",
      code: 2,
      operation: "list_templates",
      waba_id: second.account.wabaId,
    });
    const answer = await many.call("POST", "/v1/templates/sync");
    expect(answer.status).toBe(200);
    const none = { created: 0, updated: 0, deleted: 0 };
    expect(answer.body.data).toEqual([
      { business_account_id: older, status: "completed", created: 1, updated: 1, deleted: 0, error: null },
      {
        business_account_id: newer,
        status: "failed",
        ...none,
        error: { code: "provider_error", detail: expect.any(String) },
      },
    ]);
    const kinds = await many.rows<{ kind: string }>(
      "select kind from event where kind in ('approved', 'paused') order by sequence",
    );
    expect(kinds.map(({ kind }) => kind).toSorted()).toEqual(["approved", "paused"]);
    const again = await many.call("POST", "/v1/templates/sync", { body: { business_account_id: newer } });
    expect(again.body.data).toEqual([{ business_account_id: newer, status: "completed", ...none, error: null }]);
    const foreign = { business_account_id: await accountOf(mine) };
    expect((await many.call("POST", "/v1/templates/sync", { body: foreign })).body.code).toBe("reference_not_found");
  });

  it("goes on in the background when the provider takes long", async () => {
    gateway.simulator.addFault({ kind: "hang", operation: "list_templates", waba_id: theirs.account.wabaId });
    const call = theirs.call("POST", "/v1/templates/sync", { body: {} });
    await vi.waitFor(() => expect(gateway.simulator.faults()).toEqual([]), PATIENCE);
    gateway.clock.advance(10_500);
    const answer = await call;
    expect([answer.status, answer.body.data[0].status]).toEqual([202, "running"]);
    await vi.waitFor(async () => {
      expect(await theirs.rows("select status from job where kind = 'account.reconcile'")).toEqual([
        { status: "done" },
      ]);
    }, PATIENCE);
  });
});
