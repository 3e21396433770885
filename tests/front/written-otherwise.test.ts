import { describe, expect, it } from "vitest";
import { startSenders } from "../../packages/server/src/features/messages/testing/senders.ts";
import { ORDER_READY } from "../../packages/server/src/testing/gateway.ts";
import { person } from "./requests.ts";

// What people and their programs write in another way than the page says is taken where nothing else can be meant, and refused
// with a sentence where it can.
const { gateway, mine, theirs, sentTo } = await startSenders({ API_RATE_LIMIT: "off" });

const HALF = "\ud83d";
const DEEP = JSON.parse("[".repeat(40) + "]".repeat(40)) as unknown;
const send = (to: string, more: object = {}) => ({ to, type: "template", template: ORDER_READY, ...more });

describe("one row of a batch that cannot be stored", () => {
  it("is the error of that contact, with its place, and the others are written", async () => {
    const [one, two] = [person(), person()];
    const contacts = [
      { phone: one, name: `Ana ${HALF}` },
      { phone: one, name: "Ana" },
      { phone: person(), attributes: { note: "a\u0000b" } },
      { phone: "+49 30 12345/67" },
      { phone: person(), attributes: { deep: DEEP } },
      { phone: person(), tags: ["vip", HALF] },
      { phone: person(), [HALF]: 1 },
      HALF,
      { phone: person(), attributes: { n: 2 ** 60 } },
      { phone: two, name: "😀" },
    ];
    const call = () =>
      mine.call("POST", "/v1/contacts/batch", { body: { contacts }, headers: { "x-idempotency-key": "rows" } });
    const { status, body, text } = await call();
    expect(status).toBe(200);
    const shown = body.data.map(
      ({
        index,
        outcome,
        error,
      }: {
        index: number;
        outcome?: string;
        error?: { code: string; errors: { pointer: string }[] };
      }) => [index, outcome ?? error?.code, error?.errors?.[0]?.pointer],
    );
    expect(shown).toEqual([
      [0, "invalid_request", "/name"],
      [1, "created", undefined],
      [2, "invalid_request", "/attributes/note"],
      [3, "invalid_phone_number", "/phone"],
      [4, "invalid_request", `/attributes/deep${"/0".repeat(28)}`],
      [5, "invalid_request", "/tags/1"],
      [6, "invalid_request", ""],
      [7, "invalid_request", ""],
      [8, "invalid_request", "/attributes/n"],
      [9, "created", undefined],
    ]);
    expect(text).not.toMatch(/\\ud83d/i);
    const again = await call();
    expect([again.text, again.headers["idempotent-replayed"]]).toEqual([text, "true"]);
    const names = [one, two].map((phone) => mine.call("GET", `/v1/contacts?phone=${encodeURIComponent(phone)}`));
    expect((await Promise.all(names)).map((reply) => reply.body.data[0].name)).toEqual(["Ana", "😀"]);
    expect((await theirs.call("GET", "/v1/contacts")).body.data).toEqual([]);
  });

  it("is the error of that message, and the others are sent once", async () => {
    const [one, two] = [person(), person()];
    const messages = [
      send(one, { reference: `r${HALF}` }),
      send(one),
      { to: two, type: "text", text: { body: DEEP } },
      send("+1555"),
      send(two, { reference: "😀" }),
    ];
    const call = () =>
      mine.call("POST", "/v1/messages/batch", { body: { messages }, headers: { "x-idempotency-key": "messages" } });
    const { status, body } = await call();
    expect(status).toBe(202);
    expect(
      body.data.map((row: { error?: { code: string; errors?: { pointer: string }[] } }) => [
        row.error?.code,
        row.error?.errors?.[0]?.pointer,
      ]),
    ).toEqual([
      ["invalid_request", "/reference"],
      [undefined, undefined],
      ["invalid_request", `/text/body${"/0".repeat(28)}`],
      ["invalid_phone_number", "/to"],
      [undefined, undefined],
    ]);
    await call();
    for (const { message } of body.data) if (message) await mine.becomes(message.id, "accepted");
    expect([sentTo(one).length, sentTo(two).length]).toEqual([1, 1]);
  });

  it("refuses the whole where it stands beside the rows, or alone", async () => {
    const good = [{ phone: person() }];
    for (const body of [{ contacts: good, more: HALF }, { contacts: { 0: HALF } }]) {
      const reply = await mine.call("POST", "/v1/contacts/batch", { body });
      expect([reply.status, reply.body.code]).toEqual([400, "invalid_request"]);
    }
    const alone = await mine.call("POST", "/v1/contacts", { body: { phone: person(), attributes: { a: DEEP } } });
    expect([alone.status, alone.body.errors[0].code]).toEqual([400, "too_deep"]);
    expect(alone.body.errors[0].pointer).toMatch(/^\/attributes\/a\/0/);
  });
});

describe("what is meant all the same", () => {
  it("is a body behind a byte order mark, its repetition without one too", async () => {
    const to = person();
    const text = JSON.stringify(send(to));
    const headers = { "x-idempotency-key": "marked" };
    const first = await mine.call("POST", "/v1/messages", { body: `\ufeff${text}`, headers });
    const second = await mine.call("POST", "/v1/messages", { body: text, headers });
    expect([first.status, second.text]).toEqual([202, first.text]);
    const rows = await mine.call("POST", "/v1/contacts/batch", {
      body: `\ufeff{"contacts":[{"phone":"${person()}"}]}`,
    });
    expect(rows.body.data[0].outcome).toBe("created");
  });

  it("is a scheme in capitals, of an endpoint and of media", async () => {
    const endpoint = await mine.call("POST", "/v1/webhook-endpoints", {
      body: { url: "HTTPS://Hooks.Example.COM/a", events: ["*"] },
    });
    expect([endpoint.status, endpoint.body.url]).toEqual([201, "https://hooks.example.com/a"]);
    const to = "15551239901";
    await mine.inbound(to);
    const image = await mine.call("POST", "/v1/messages", {
      body: { to: `+${to}`, type: "image", image: { link: "HTTPS://cdn.example/a.jpg" } },
    });
    expect(image.status).toBe(202);
    await mine.becomes(image.body.id, "accepted");
    const profile = await mine.call("PATCH", `/v1/phone-numbers/${mine.phoneNumberId}/profile`, {
      body: { websites: ["HTTPS://shop.example"] },
    });
    expect(profile.status).toBe(200);
    const none = await mine.call("POST", "/v1/messages", {
      body: { to: `+${to}`, type: "image", image: { link: "ftp://cdn.example/a.jpg" } },
    });
    expect(none.body.detail).toContain("begins with `https://`");
  });
});

describe("what is refused", () => {
  it("says in a sentence how a time in a filter is written", async () => {
    const ask = (time: string) => mine.call("GET", `/v1/messages?created_after=${time}`);
    const raw = await ask("2026-01-31T09:30:00+00:00");
    expect([raw.status, raw.body.errors[0].pointer]).toEqual([400, "?created_after"]);
    expect(raw.body.detail).toContain("write the `+` of an offset as `%2B`");
    expect((await ask("2026-01-31T09:30:00%2B00:00")).status).toBe(200);
    const later = await mine.send(person(), { send_at: "2026-01-31 09:30:00Z" });
    expect(later.body.detail).toMatch(/^\/send_at: must be a time with `T`/);
    for (const time of ["2026-02-30T09:30:00Z", "2026-01-31T24:30:00Z", "2026-01-31T09:30:00%2B25:00"])
      expect((await ask(time)).body.detail).toMatch(/^\?created_after: must be a time that there is/);
    for (const send_at of [gateway.clock.now(), Math.round(gateway.clock.now() / 1_000), true, {}])
      expect((await mine.send(person(), { send_at })).body.errors).toMatchObject([
        { pointer: "/send_at", code: "type", detail: expect.stringContaining("must be a time with `T` and an offset") },
      ]);
  });

  it("says what is wrong about a token, and shows nothing of it", async () => {
    const id = { provider_account_id: mine.account.wabaId };
    for (const token of [
      "Bearer EAASECRET",
      "EAASECRET\n",
      " EAASECRET",
      '"EAASECRET"',
      "EAA SECRET",
      "EAASECRET\r\n",
    ]) {
      const { status, body, text } = await mine.call("POST", "/v1/business-accounts", {
        body: { ...id, access_token: token },
      });
      expect([token, status, body.errors[0].pointer]).toEqual([token, 400, "/access_token"]);
      expect(body.detail).toContain("must be the bare token: without `Bearer`, quotes, spaces and line ends");
      expect(text).not.toContain("SECRET");
    }
    const headers: [string, RegExp][] = [
      [`Bearer Bearer ${mine.key}`, /the word Bearer twice/],
      [`bearer bearer ${mine.key}`, /the word Bearer twice/],
      [mine.key, /does not begin with the word Bearer/],
      [`Token ${mine.key}`, /does not begin with the word Bearer/],
      [`Bearer "${mine.key}"`, /stands in quotes/],
      [`Bearer ${mine.key.slice(0, 8)} ${mine.key.slice(8)}`, /a space or a line end/],
      [`Bearer ${mine.key}\\n`, /a space or a line end/],
      ["Bearer", /^Send a valid key/],
    ];
    for (const [authorization, why] of headers) {
      const { status, body, text } = await gateway.as(null)("GET", "/v1/messages", { headers: { authorization } });
      expect([authorization, status, body.code]).toEqual([authorization, 401, "unauthorized"]);
      expect(body.detail).toMatch(why);
      expect(text).not.toContain(mine.key.slice(8));
    }
    for (const authorization of [`bearer   ${mine.key}`, `BEARER ${mine.key} `, `Bearer\t${mine.key}`])
      expect((await gateway.as(null)("GET", "/v1/messages", { headers: { authorization } })).status).toBe(200);
  });
});
