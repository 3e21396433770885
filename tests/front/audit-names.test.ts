import { expect, it, vi } from "vitest";
import { startSenders } from "../../packages/server/src/features/messages/testing/senders.ts";
import { PATIENCE } from "../../packages/server/src/testing/patience.ts";
import { person } from "./requests.ts";

// The audit log outlives an erasure: what people are called is not in it, wherever a client writes it.
const { gateway, mine } = await startSenders({ API_RATE_LIMIT: "off" });

const NAME = "Zerbinetta";

/** A request that must succeed, and its answer. */
async function done(method: "POST" | "PATCH" | "DELETE", path: string, body?: object, headers = {}) {
  const reply = await mine.call(method, path, { body, headers });
  expect([method, path, reply.status, reply.body?.detail]).toEqual([method, path, expect.any(Number), undefined]);
  expect(reply.status).toBeLessThan(300);
  return reply;
}

it("has no name of a person in what changes say of segments, contacts, notes and templates", async () => {
  const filter = { field: "name", op: "eq", value: NAME };
  const segment = (await done("POST", "/v1/segments", { name: `For ${NAME}`, filter })).body.id;
  await done("PATCH", `/v1/segments/${segment}`, { name: `Of ${NAME}`, filter });
  await done("DELETE", `/v1/segments/${segment}`);

  const of = { name: NAME, email: `${NAME}@example.com`, attributes: { friend: NAME }, tags: [NAME] };
  const one = (await done("POST", "/v1/contacts", { phone: person(), ...of })).body.id;
  await done("PATCH", `/v1/contacts/${one}`, { name: `${NAME} Q`, attributes: { friend: `${NAME} Q` } });
  await done("POST", `/v1/contacts/${one}/tags`, { tags: [`${NAME} fan`] });
  const batch = await done("POST", "/v1/contacts/batch", { contacts: [{ phone: person(), ...of }] });
  await done("POST", `/v1/contacts/${one}/merge`, { contact_id: batch.body.data[0].contact.id });
  await mine.inbound("15551237701", NAME);
  await done("POST", "/v1/messages", { to: "+15551237701", type: "text", text: { body: `Hello ${NAME}` } });

  const endpoint = { url: "https://hooks.example/a", events: ["*"], description: `For ${NAME}` };
  const hook = (await done("POST", "/v1/webhook-endpoints", endpoint)).body.id;
  await done("PATCH", `/v1/webhook-endpoints/${hook}`, { description: `Of ${NAME}`, enabled: false });
  await done("PATCH", `/v1/phone-numbers/${mine.phoneNumberId}`, { description: `${NAME}'s phone` });
  await done("PATCH", `/v1/phone-numbers/${mine.phoneNumberId}`, { description: null });

  const components = (sample: string) => [
    { type: "BODY", text: "Hello {{1}}, your order is ready.", example: { body_text: [[sample]] } },
  ];
  const made = await done("POST", "/v1/templates", {
    name: "for_a_person",
    language: { code: "en_US" },
    category: "utility",
    components: components(NAME),
  });
  const template = `/v1/templates/${made.body.id}`;
  gateway.simulator.decideTemplate(made.body.provider_template_id, { status: "REJECTED", reason: "SCAM" });
  await vi.waitFor(async () => expect((await mine.call("GET", template)).body.status).toBe("rejected"), PATIENCE);
  await done("PATCH", template, { components: components(`${NAME} Q`) });

  await done("DELETE", `/v1/contacts/${one}`);
  const rows = await mine.rows<{ action: string; said: string; changes: unknown }>(
    "select a.action, to_json(a)::text as said, a.changes from audit a order by a.id",
  );
  expect(rows.filter(({ said }) => said.includes(NAME)).map(({ action }) => action)).toEqual([]);
  const said = Object.fromEntries(
    rows.filter(({ changes }) => changes !== null).map((row) => [row.action, row.changes]),
  );
  expect(said).toMatchObject({
    "segment.create": { fields: ["name", "filter"] },
    "segment.update": { fields: ["name", "filter"] },
    "webhook_endpoint.update": { description: "changed", enabled: false },
    "phone_number.update": { description: { before: null, after: "changed" } },
    "template.update": { components: { before: null, after: "changed" } },
  });
});

it("has no number, name or tag in the paths of requests, also of those that there are not", async () => {
  const contact = (await done("POST", "/v1/contacts", { phone: person(), tags: ["tomato"] })).body.id;
  await done("DELETE", `/v1/contacts/${contact}/tags/tomato`);
  const asked = [
    "/v1/contacts/+15551237702",
    "/v1/contacts/%2B15551237702/tags",
    "/v1/conversations/15551237702/messages",
    "/v1/messages/wamid.HBgLMTU1NTEyMzc3MDI",
    "/v1/messages/tomato@example.com/read",
    "/v1/people/15551237702/Tomato",
    "/v1/people/Z%C3%B6e",
    `/v1/contacts/${contact}/notes/`,
    `/v1/contacts/${contact}`,
  ];
  for (const path of asked) await mine.call("GET", path);
  await gateway.audited();
  const rows = await mine.rows<{ path: string }>("select path from audit where path is not null order by id");
  const paths = rows.map(({ path }) => path);
  expect(paths.filter((path) => /[Tt]omato|(?:[+/]|%2B)1555|HBgL|%C3/.test(path))).toEqual([]);
  expect(paths.slice(-asked.length - 1)).toEqual([
    `/v1/contacts/${contact}/tags/{tag}`,
    "/v1/contacts/{id}",
    "/v1/contacts/{id}/tags",
    "/v1/conversations/{contact_id}/messages",
    "/v1/messages/{id}",
    "/v1/messages/{id}/read",
    "/v1/people/{}/{}",
    "/v1/people/{}",
    `/v1/contacts/${contact}/notes/`,
    `/v1/contacts/${contact}`,
  ]);
});

it("says where an endpoint leads, and nothing that may be its secret", async () => {
  const url = "https://hooks.example/T000/s3cret?token=s3cret#s3cret";
  const { id } = (await done("POST", "/v1/webhook-endpoints", { url, events: ["*"] })).body;
  await done("PATCH", `/v1/webhook-endpoints/${id}`, { url: "https://other.example:8443/?token=s3cret" });
  await done("PATCH", `/v1/webhook-endpoints/${id}`, { url: "https://plain.example" });
  await done("DELETE", `/v1/webhook-endpoints/${id}`);
  const rows = await mine.rows<{ changes: { url: string }; said: string }>(
    "select changes, to_json(a)::text as said from audit a where resource_id = $1 and changes is not null order by id",
    [id],
  );
  expect(rows.filter(({ said }) => said.includes("s3cret"))).toEqual([]);
  expect(rows.map(({ changes }) => changes.url)).toEqual([
    "https://hooks.example/…",
    "https://other.example:8443/…",
    "https://plain.example",
    "https://plain.example",
  ]);
});
