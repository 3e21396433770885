import { expect, it, vi } from "vitest";
import { type Definition, takeTemplates } from "../testing/golden-templates.ts";
import { person, startSenders } from "../testing/senders.ts";
import { body, button, templateOf, text } from "../testing/template-parts.ts";

const senders = await startSenders({ API_RATE_LIMIT: "off" });
const { gateway, mine } = senders;

const HOUR_MS = 3_600_000;
const PATIENCE = { timeout: 30_000, interval: 25 };

let named = 0;
/** A template of `mine` that takes one text. */
async function definition(): Promise<Definition> {
  const name = `notice_${(named += 1)}`;
  const one = { name, language: "en_US", category: "UTILITY", components: [{ type: "BODY", text: "Hi {{1}}." }] };
  await takeTemplates(senders, [one]);
  return one;
}

const stored = async (name: string) => (await mine.call("GET", `/v1/templates?name=${name}`)).body.data[0];

/** Changes the template at the provider, which reports nothing of it. */
async function changeSilently(one: Definition, more: Partial<Definition>): Promise<void> {
  const { provider_template_id: id } = await stored(one.name);
  gateway.simulator.addTemplate({ waba_id: mine.account.wabaId, id, ...one, ...more });
}

const send = (name: string, components: unknown[], more: object = {}) =>
  mine.call("POST", "/v1/messages", {
    body: { to: person(), type: "template", template: templateOf(name, ...components), ...more },
  });
const ana = [body(text("Ana"))];

/** The fetches of templates that were asked for so far. */
const fetches = async () => (await mine.rows("select 1 from job where kind = 'template.refetch'")).length;
const eventsOf = async (name: string) => {
  const events = await mine.rows<{ kind: string }>(
    "select e.kind from event e join template t on t.id = e.resource_id where t.name = $1 order by e.sequence",
    [name],
  );
  return events.map(({ kind }) => kind);
};

it("a hundred messages of a template that was edited fail with what to do, and it is fetched once", async () => {
  const one = await definition();
  const before = await fetches();
  const sendAt = new Date(gateway.clock.now() + HOUR_MS).toISOString();
  const replies = await Promise.all(Array.from({ length: 100 }, () => send(one.name, ana, { send_at: sendAt })));
  expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([202]));

  await changeSilently(one, { components: [{ type: "BODY", text: "Hi {{1}}, order {{2}} is ready." }] });
  gateway.clock.advance(HOUR_MS);
  for (const { body: message } of replies) {
    const { error } = await mine.becomes(message.id, "failed");
    expect(error).toMatchObject({
      code: "template_changed",
      retryable: false,
      remedy: expect.stringContaining("GET /v1/templates"),
      provider: { code: 132000 },
    });
  }
  await vi.waitFor(async () => expect((await stored(one.name)).components[0].text).toContain("{{2}}"), PATIENCE);

  // The cache still has the old definition: neither is judged by it.
  expect((await send(one.name, [body(text("Ana"), text("17"))])).status).toBe(202);
  expect((await send(one.name, ana)).body).toMatchObject({
    code: "template_parameters_mismatch",
    errors: [{ pointer: "/template/components/0/parameters", code: "missing" }],
  });
  // The refusals that came while it was fetched are explained by now.
  gateway.clock.advance(5_000);
  gateway.clock.advance(10_000);
  const last = await send(one.name, [body(text("Ana"), text("17"))]);
  await mine.becomes(last.body.id, "accepted");
  expect(await fetches()).toBe(before + 1);
});

it.each([
  ["paused", { status: "PAUSED" }, "template_paused", 132015],
  ["disabled", { status: "DISABLED" }, "template_rejected", 132016],
  ["rejected", { status: "REJECTED" }, "template_changed", 132001],
] as const)(
  "one that was %s is stored so, with its event, and refused from then on",
  async (status, more, code, provider) => {
    const one = await definition();
    await changeSilently(one, more);
    const { body: message } = await send(one.name, ana);
    const { error } = await mine.becomes(message.id, "failed");
    expect(error).toMatchObject({ code, provider: { code: provider } });
    await vi.waitFor(async () => expect((await stored(one.name)).status).toBe(status), PATIENCE);
    expect(await eventsOf(one.name)).toEqual(["approved", status]);
    expect((await send(one.name, ana)).body.code).toBe("template_not_approved");
  },
);

it.each([
  [
    "a name for each parameter",
    { parameter_format: "NAMED", components: [{ type: "BODY", text: "Hi {{name}}." }] },
    132012,
  ],
  [
    "a button with a variable",
    {
      components: [
        { type: "BODY", text: "Hi {{1}}." },
        { type: "BUTTONS", buttons: [{ type: "URL", text: "Open", url: "https://shop.example/{{1}}" }] },
      ],
    },
    131008,
  ],
  ["a longer text", { components: [{ type: "BODY", text: `${"x".repeat(32_768)} {{1}}` }] }, 132005],
] as const)("one that got %s has changed", async (_what, more, provider) => {
  const one = await definition();
  const before = await fetches();
  await changeSilently(one, more);
  const { body: message } = await send(one.name, ana);
  const { error } = await mine.becomes(message.id, "failed");
  expect(error).toMatchObject({ code: "template_changed", provider: { code: provider } });
  await vi.waitFor(async () => expect((await send(one.name, ana)).status).toBe(422), PATIENCE);
  expect(await fetches()).toBe(before + 1);
});

it("refusals that the definition does not explain lead to a fetch ever more seldom", async () => {
  const one = await definition();
  const before = await fetches();
  const refused = async () => {
    const to = person();
    gateway.simulator.addFault({ kind: "refuse", code: 132012, recipient: to });
    const { body: message } = await send(one.name, ana, { to });
    expect((await mine.becomes(message.id, "failed")).error.code).toBe("template_changed");
  };
  await refused();
  await vi.waitFor(async () => expect(await fetches()).toBe(before + 1), PATIENCE);
  await refused();
  expect(await fetches()).toBe(before + 1);
  gateway.clock.advance(5_000);
  await vi.waitFor(async () => expect(await fetches()).toBe(before + 2), PATIENCE);
  await refused();
  gateway.clock.advance(8_000);
  await refused();
  expect(await fetches()).toBe(before + 2);
  gateway.clock.advance(2_000);
  await vi.waitFor(async () => expect(await fetches()).toBe(before + 3), PATIENCE);
  // Also where none came during the wait that followed.
  gateway.clock.advance(20_000);
  await refused();
  expect(await fetches()).toBe(before + 3);
});

it("a button more: what fits the new definition is accepted at once, and another workspace's template is its own", async () => {
  const one = await definition();
  await changeSilently(one, {
    components: [
      { type: "BODY", text: "Hi {{1}}." },
      { type: "BUTTONS", buttons: [{ type: "COPY_CODE", example: "25OFF" }] },
    ],
  });
  const { body: message } = await send(one.name, ana);
  await mine.becomes(message.id, "failed");
  const corrected = [...ana, button("copy_code", 0, { type: "coupon_code", coupon_code: "SPRING" })];
  const accepted = await vi.waitFor(async () => {
    const reply = await send(one.name, corrected);
    expect(reply.status).toBe(202);
    return reply.body;
  }, PATIENCE);
  await mine.becomes(accepted.id, "accepted");
  expect((await senders.theirs.rows("select 1 from job where kind = 'template.refetch'")).length).toBe(0);
});
