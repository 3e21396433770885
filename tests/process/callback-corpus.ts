import { expect } from "vitest";
import { parseId } from "../../packages/server/src/lib/ids.ts";
import type { Deployment, Worker, Workspace } from "./deployment.ts";
import { inParallel, type Posted, post, strangers } from "./posting.ts";

/** What the provider reports of one workspace: callbacks that differ between workspaces in ids alone. */
export type Corpus = {
  /** In the order in which it happened; the provider promises none. */
  callbacks: Callback[];
  /** Ids of the workspace's things, each with a name that is the same in every workspace. */
  names: Map<string, string>;
};

/** `number`: callbacks of one number follow each other. */
type Callback = { number: string; body: string };

/** Messages that the owner of a workspace's number wrote from the phone. */
export const ECHOES = 20;

export type Size = { sent: number; people: number; written: number; templates: number };

/** Sends so many messages, and lists what the provider may report of them, of people who write, of templates and of the account. */
export async function corpusOf(deployment: Deployment, gateway: Worker, of: Workspace, size: Size): Promise<Corpus> {
  const [account] = (await gateway.call(of.key, "GET", "/v1/business-accounts")).body["data"];
  const templates = (await gateway.call(of.key, "GET", "/v1/templates?limit=100")).body["data"] as Template[];
  const sent = await send(deployment, gateway, of, size.sent);
  const callbacks = [
    ...sent.flatMap(statusesOf),
    ...inboundOf(of, size),
    ...echoesOf(of),
    ...templatesOf(account.provider_account_id, templates, size.templates),
    ...noticesOf(account.provider_account_id),
    ...refusedOf(of),
  ];
  const names = new Map([
    [account.id, "account"],
    [parseId("acc", account.id)!, "account"],
    [account.provider_account_id, "provider's account"],
    ...of.numbers.flatMap(({ id, phone, providerId }, n): [string, string][] => [
      [id, `number ${n}`],
      [phone, `phone ${n}`],
      [`9${providerId}`, `no number ${n}`],
      [providerId, `provider's number ${n}`],
    ]),
    ...templates.flatMap(({ id, name, provider_template_id }): [string, string][] => [
      [id, name],
      [provider_template_id, `provider's ${name}`],
    ]),
    ...Array.from({ length: ECHOES }, (_, n): [string, string] => [
      `wamid.echo.${of.numbers[0]!.providerId}.${n}`,
      `echo ${n}`,
    ]),
    ...Array.from({ length: size.written }, (_, n): [string, string] => [wamidOf(of, n), `written ${n}`]),
    ...sent.flatMap(({ id, wamid, to, n }): [string, string][] => [
      [id, `sent ${n}`],
      [wamid, `wamid of ${n}`],
      [to, `recipient ${n}`],
      [to.slice(1), `digits of ${n}`],
    ]),
  ]);
  return { callbacks: interleaved(callbacks), names };
}

type Template = { id: string; name: string; provider_template_id: string };
type Sent = { n: number; id: string; wamid: string; opaque: string; to: string; number: string };

async function send({ provider }: Deployment, gateway: Worker, of: Workspace, count: number): Promise<Sent[]> {
  const orders = strangers(count).map((to, n) => ({
    to,
    key: null,
    from: of.numbers[n % of.numbers.length]!.phone,
  }));
  const posted = await inParallel(orders, 32, (order) => post(gateway, of, order));
  expect(new Set(posted.map(({ reply }) => reply?.status))).toEqual(new Set([202]));
  const wanted = new Set(orders.map(({ to }) => to));
  await provider.whenSent(count, ({ accepted, to }) => accepted && wanted.has(to ?? ""));
  const entries = new Map(provider.sent({ accepted: true, limit: 100_000 }).data.map((entry) => [entry.to, entry]));
  return posted.map(({ order, reply }: Posted, n) => {
    const { id, opaque, phone_number_id } = entries.get(order.to)!;
    return { n, id: reply?.body["id"], wamid: id ?? "", opaque: opaque ?? "", to: order.to, number: phone_number_id };
  });
}

const SECOND = Math.floor(Date.UTC(2026, 0, 1) / 1_000);

/** Each of some messages fails, the others are delivered; some are read, and of some the provider leaves something out. */
function statusesOf({ n, wamid, opaque, to, number }: Sent): Callback[] {
  const recipient = to.slice(1);
  const courses = [
    ["sent", "delivered", "read"],
    ["sent", "delivered"],
    ["sent", "failed"],
    ["delivered", "read", "played"],
    ["read", "deleted"],
  ];
  return (courses[n % courses.length] ?? []).map((status, step) =>
    ofNumber(number, {
      statuses: [
        {
          id: wamid,
          status,
          timestamp: String(SECOND + n + step),
          recipient_id: recipient,
          ...(n % 3 === 0 ? {} : { biz_opaque_callback_data: opaque }),
          ...(status === "sent"
            ? { pricing: { billable: true, pricing_model: "PMP", type: "regular", category: "utility" } }
            : {}),
          ...(status === "failed" ? { errors: [{ code: 131026, title: "Message undeliverable" }] } : {}),
        },
      ],
    }),
  );
}

/** People write to both numbers: texts and what else there is, one stops marketing, one writes in a group. */
function inboundOf(of: Workspace, { people, written }: Size): Callback[] {
  const { numbers } = of;
  return Array.from({ length: written }, (_, n) => {
    const person = n % people;
    const number = numbers[n % numbers.length]!;
    const from = `1415900${String(person).padStart(4, "0")}`;
    return ofNumber(number.providerId, {
      contacts: [{ profile: { name: `Person ${person}` }, wa_id: from }],
      messages: [{ from, id: wamidOf(of, n), timestamp: String(SECOND + n), ...contentOf(of, n, person) }],
    });
  });
}

const wamidOf = ({ numbers: [number] }: Workspace, n: number): string => `wamid.${number!.providerId}.${n}`;

function contentOf(of: Workspace, n: number, person: number): object {
  const kinds = [
    { type: "text", text: { body: person === 7 && n < 1_000 ? "STOP" : `Hello ${n}` } },
    {
      type: "text",
      text: { body: "From an advert" },
      referral: { source_type: "ad", source_id: "77", ctwa_clid: "click" },
    },
    { type: "image", image: { id: `media-${n}`, mime_type: "image/jpeg", sha256: "x" } },
    { type: "location", location: { latitude: 1.5, longitude: 2.5 } },
    { type: "text", text: { body: "Passed on" }, context: { forwarded: true } },
    { type: "unsupported", errors: [{ code: 131051, title: "Message type unknown" }] },
    {
      type: "edit",
      edit: { original_message_id: wamidOf(of, n + 1), message: { type: "text", text: { body: "Mended" } } },
    },
    { type: "text", text: { body: "As I say below" }, context: { id: wamidOf(of, n + 2) } },
    { type: "order", order: { catalog_id: "c", product_items: [] }, new_of_next_year: { n } },
  ];
  return kinds[n % kinds.length] ?? {};
}

/** What the owner wrote from the phone, read by now; its statuses may come first. */
function echoesOf({ numbers: [number] }: Workspace): Callback[] {
  const { providerId } = number!;
  const of = { from: "1", to: "14158000003", timestamp: String(SECOND) };
  return Array.from({ length: ECHOES }, (_, n) => {
    const id = `wamid.echo.${providerId}.${n}`;
    const echo = { ...of, id, type: "text", text: { body: `From the phone ${n}` } };
    return [
      ofNumber(providerId, { message_echoes: [echo] }),
      ...["delivered", "read", "deleted"].map((status) =>
        ofNumber(providerId, { statuses: [{ id, status, timestamp: String(SECOND), recipient_id: of.to }] }),
      ),
    ];
  }).flat();
}

/** Of templates that the provider shows as they are: what changes is reported once. */
function templatesOf(account: string, templates: readonly Template[], count: number): Callback[] {
  return Array.from({ length: count }, (_, n) => {
    const { name, provider_template_id } = templates[n % templates.length]!;
    const of = {
      message_template_id: provider_template_id,
      message_template_name: name,
      message_template_language: "en-US",
    };
    const [field, value] =
      n % 2 === 0
        ? ["message_template_status_update", { ...of, event: "FLAGGED", reason: "NONE" }]
        : ["message_template_quality_update", { ...of, previous_quality_score: "GREEN", new_quality_score: "YELLOW" }];
    return { number: account, body: envelope(account, field as string, value as object, SECOND + n) };
  });
}

function noticesOf(account: string): Callback[] {
  const values = [
    { event: "PARTNER_ADDED", waba_info: { waba_id: account, owner_business_id: "7001" } },
    { event: "ACCOUNT_VIOLATION", violation_info: { violation_type: "SCAM" } },
    { event: "VOLUME_BASED_PRICING_TIER_UPDATE", volume_tier_info: { tier: "0:100" } },
  ];
  const updates = values.map((value, n) => envelope(account, "account_update", value, SECOND + n));
  const alert = { entity_type: "BUSINESS", alert_info: { alert_type: "OBA_APPROVED" } };
  return [...updates, envelope(account, "account_alerts", alert, SECOND)].map((body) => ({ number: account, body }));
}

/** What is set aside: without an owner, or not understood. */
function refusedOf({ numbers: [number] }: Workspace): Callback[] {
  const lost = {
    messages: [{ from: "14159990000", id: "wamid.lost", timestamp: String(SECOND), type: "text", text: { body: "?" } }],
  };
  return [
    ofNumber(`9${number!.providerId}`, lost),
    ofNumber(number!.providerId, { messages: [{ from: "14159990000", type: "text" }, "junk"] }),
    ofNumber(number!.providerId, { statuses: [{ id: "wamid.none", status: "unheard_of", timestamp: "1" }] }),
  ];
}

const ofNumber = (number: string, value: object): Callback => ({
  number,
  body: envelope("1", "messages", { messaging_product: "whatsapp", metadata: { phone_number_id: number }, ...value }),
});

const envelope = (id: string, field: string, value: object, time?: number): string =>
  JSON.stringify({
    object: "whatsapp_business_account",
    entry: [{ id, ...(time ? { time } : {}), changes: [{ field, value }] }],
  });

/** Those of all numbers spread evenly, those of each number in their order. */
function interleaved(callbacks: readonly Callback[]): Callback[] {
  const counts = new Map<string, number>();
  for (const { number } of callbacks) counts.set(number, (counts.get(number) ?? 0) + 1);
  const done = new Map<string, number>();
  const placed = callbacks.map((one) => {
    const n = done.get(one.number) ?? 0;
    done.set(one.number, n + 1);
    return { one, place: n / (counts.get(one.number) ?? 1) };
  });
  return placed.toSorted((a, b) => a.place - b.place).map(({ one }) => one);
}
