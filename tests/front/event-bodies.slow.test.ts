import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  addAccount,
  begin,
  codeFor,
  completed,
} from "../../packages/server/src/features/accounts/signup/testing/signups.ts";
import { threadsOf } from "../../packages/server/src/features/conversations/testing/threads.ts";
import { withIdsOf } from "../../packages/server/src/features/ingress/testing/golden-texts.ts";
import { completeInbound, failInbound } from "../../packages/server/src/features/media/outcome.ts";
import { keptPicture, pendingMedia } from "../../packages/server/src/features/media/testing/pending.ts";
import { startReceiver } from "../../packages/server/src/features/webhooks/testing/receiver.ts";
import { documentedChanges } from "../../packages/server/src/provider/whatsapp/testing/documented.ts";
import { callbackOf, postCallback, statusOf } from "../../packages/server/src/testing/callback.ts";
import { type Gateway, type Sender, startGateway } from "../../packages/server/src/testing/gateway.ts";

// What receivers get is what `webhooks` of the document says: each kind that can be provoked is, and each body is compared.

type Schema = Record<string, unknown>;
type Document = {
  webhooks: Record<string, { post: { requestBody: { content: Record<string, { schema: Schema }> } } }>;
};
type Event = { id: string; kind: string; data: Record<string, unknown> };

const PATIENCE = { timeout: 30_000, interval: 50 };
const document: Document = JSON.parse(readFileSync(new URL("../../openapi.json", import.meta.url), "utf8"));

let gateway: Gateway;
let mine: Sender;
let ended: Sender;
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
  [mine, ended] = [await gateway.sender(), await gateway.sender()];
});
afterAll(() => gateway.stop());

/** Fields that the schema does not have are faults too, but where it says that there may be others. */
function faultsOf(events: readonly Event[]): string[] {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ ...(closed(document) as object), $id: "document" });
  return events.flatMap(({ kind, ...rest }) => {
    const $ref = `document#/webhooks/${kind}/post/requestBody/content/application~1json/schema`;
    const validate = ajv.getSchema($ref) ?? ajv.compile({ $ref });
    if (validate({ kind, ...rest })) return [];
    return (validate.errors ?? []).map(
      (one) => `${kind} ${one.instancePath} ${one.message} ${JSON.stringify(one.params)}`,
    );
  });
}

function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== "object" || value === null) return value;
  const all = Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, closed(inner)]));
  const isOpen =
    all["properties"] === undefined || all["type"] !== "object" || all["additionalProperties"] !== undefined;
  return isOpen ? all : { ...all, additionalProperties: false };
}

async function eventsOf(of: Sender): Promise<Event[]> {
  const seen: Event[] = [];
  for (let cursor = ""; ; ) {
    const { body } = await of.call("GET", `/v1/events?limit=100${cursor === "" ? "" : `&cursor=${cursor}`}`);
    seen.push(...body.data);
    cursor = body.next_cursor;
    if (!body.has_more) return seen;
  }
}

async function reportAll(): Promise<void> {
  for (const [n, { change }] of documentedChanges().entries()) {
    const { account } = change.field === "account_update" ? ended : mine;
    const entry = [{ id: "9001", time: 1_790_000_100 + n, changes: [change] }];
    const text = JSON.stringify({ object: "whatsapp_business_account", entry });
    expect((await postCallback(gateway, withIdsOf(account, text).replaceAll('"wamid.', `"wamid.${n}.`))).status).toBe(
      200,
    );
  }
  await expect.poll(() => gateway.app.db.sql.query("select from ingest"), PATIENCE).toEqual([]);
}

/** Each report of a message, and what ends one here. */
async function messages(): Promise<void> {
  const accepted = async (): Promise<string> => {
    const { body } = await mine.send("+15557770001");
    return (await mine.becomes(body.id, "accepted")).provider_message_id;
  };
  const [read, lost] = [await accepted(), await accepted()];
  const now = gateway.clock.now();
  const tell = (...values: object[]) => postCallback(gateway, callbackOf(mine.account, ...values));
  for (const status of ["sent", "delivered", "read", "played", "deleted", "warning"])
    await tell(statusOf(read, status, now));
  await tell(statusOf(lost, "failed", now, { errors: [{ code: 131_026, title: "Undeliverable" }] }));
  const payment = { reference_id: "order-17" };
  await tell(statusOf(read, "captured", now, { type: "payment", payment }));
  const { post, message } = threadsOf(gateway, mine);
  await post(message("standby", "15557770002", "wamid.standby"));
  gateway.simulator.addFault({ kind: "reset", accept: true, recipient: "+15557770003" });
  await mine.becomes((await mine.send("+15557770003")).body.id, "unknown");
  const send_at = new Date(now + 86_400_000).toISOString();
  const later = await mine.send("+15557770004", { send_at });
  expect((await mine.call("POST", `/v1/messages/${later.body.id}/cancel`)).status).toBe(200);
}

/** An account that is locked at the provider, so that a message waits for longer than it may. */
async function locked(): Promise<Sender> {
  const of = await gateway.sender();
  gateway.simulator.setAccountLock(of.account.wabaId, 368);
  const expires_at = new Date(gateway.clock.now() + 60_000).toISOString();
  const { body } = await of.send("+15557770005", { expires_at });
  const status = async () => (await of.call("GET", "/v1/business-accounts")).body.data[0].status;
  await expect.poll(status, PATIENCE).toBe("restricted");
  gateway.clock.advance(61_000);
  await of.becomes(body.id, "expired");
  return of;
}

async function people(): Promise<void> {
  const create = async (phone: string): Promise<string> =>
    (await mine.call("POST", "/v1/contacts", { body: { phone } })).body.id;
  const [one, other, third] = [
    await create("+15557770006"),
    await create("+15557770007"),
    await create("+15557770008"),
  ];
  const merged = await mine.call("POST", `/v1/contacts/${one}/merge`, { body: { contact_id: other } });
  const erased = await mine.call("DELETE", `/v1/contacts/${third}`);
  expect([merged.status, erased.status]).toEqual([200, 204]);
}

/** What the provider has changed without a word, and a signup. */
async function accounts(): Promise<void> {
  const { wabaId, providerPhoneNumberId } = mine.account;
  gateway.simulator.setNumber(providerPhoneNumberId, { quality_rating: "RED" });
  const facts = { waba_id: wabaId, name: "content", language: "en_US", category: "UTILITY" as const };
  const texts = ["Ready.", "Other words."].map((text) => ({ ...facts, components: [{ type: "BODY", text }] }));
  let id: string | undefined;
  for (const one of texts) {
    id = gateway.simulator.addTemplate({ ...one, ...(id === undefined ? {} : { id }) }).id;
    await mine.call("POST", "/v1/templates/sync");
    const due = new Date(gateway.clock.now());
    await expect.poll(() => mine.rows("select from task where due <= $1", [due]), PATIENCE).toEqual([]);
  }
  const display_phone_number = mine.account.phone.slice(1);
  const value = { display_phone_number, event: "FLAGGED" };
  gateway.simulator.accountEvent({ waba_id: wabaId, field: "phone_number_quality_update", value });
  const granted = addAccount({ gateway });
  await completed(mine, await begin(mine, { code: codeFor({ gateway }, [granted]) }));
}

/** A picture that came, and one that could not be had. */
async function pictures(): Promise<void> {
  const [came, lost] = [await pendingMedia(gateway, mine), await pendingMedia(gateway, mine)];
  const file = { ...(await keptPicture(gateway, mine)), mimeType: "image/jpeg" };
  await completeInbound(gateway.app, mine.uuid, came.id, file);
  const error = { code: "media_failed", detail: "The provider no longer has the file.", retryable: false } as const;
  await failInbound(gateway.app, mine.uuid, lost.id, error);
}

/** A test of an endpoint, whose receiver then is gone. Resolves with the two events as they came. */
async function endpoints(): Promise<Event[]> {
  const receiver = await startReceiver();
  const watched = await startReceiver();
  const create = async (url: string): Promise<string> =>
    (await mine.call("POST", "/v1/webhook-endpoints", { body: { url, events: ["endpoint_disabled"] } })).body.id;
  await create(watched.url);
  const id = await create(receiver.url);
  receiver.answer((response) => response.writeHead(410).end());
  await mine.call("POST", `/v1/webhook-endpoints/${id}/test`);
  await watched.got(1);
  await Promise.all([receiver.close(), watched.close()]);
  return [...receiver.received, ...watched.received].map(({ body }) => body);
}

/** Its shape is that of `endpoint_disabled`; it takes an hour of failures. */
const NOT_HERE = ["endpoint_failing"];

describe("bodies of events", () => {
  it("are as the document says, kind by kind, and there is no other kind", async () => {
    await reportAll();
    await messages();
    await people();
    await accounts();
    await pictures();
    const posted = await endpoints();
    const third = await locked();
    let seen: Event[] = [];
    const missing = async (): Promise<string[]> => {
      seen = [...posted, ...(await Promise.all([mine, ended, third].map(eventsOf))).flat()];
      const kinds = new Set(seen.map(({ kind }) => kind));
      return Object.keys(document.webhooks).filter((kind) => !kinds.has(kind));
    };
    await expect.poll(missing, PATIENCE).toEqual(NOT_HERE);
    expect([...new Set(faultsOf(seen))]).toEqual([]);
  });
});
