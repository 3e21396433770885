import { fillDatabase } from "./filled-database.ts";
import { fillDeliveries, fillEvents } from "./filled-events.ts";
import type { Part, Run } from "./part.ts";

const MESSAGES = 100_000;
/** Ten of each message. */
const EVENTS = 1_000_000;
const ENDPOINTS = 100;
/** Of one endpoint. */
const DELIVERIES = 100_000;
/** The middle one of so many questions counts. */
const ASKS = 5;

const HOUR_MS = 3_600_000;
const ago = (hours: number): string => encodeURIComponent(new Date(Date.now() - hours * HOUR_MS).toISOString());

/** What the pages of the console read, each with the filters that a page has. */
const listsOf = ({ endpoint, message, contact }: Ids): Record<string, string[]> => ({
  messages: [
    "/v1/messages?limit=50",
    "/v1/messages?limit=50&status=failed",
    "/v1/messages?limit=50&status=delivered&direction=outbound",
    "/v1/messages?limit=50&error_code=recipient_unreachable",
    "/v1/messages?limit=50&reference=none",
    `/v1/messages?limit=50&contact_id=${contact}`,
    `/v1/messages?limit=50&created_before=${ago(72)}`,
    `/v1/messages/${message}`,
  ],
  conversations: ["/v1/conversations?limit=50", `/v1/conversations/${contact}/messages?limit=50`],
  contacts: [
    "/v1/contacts?limit=50",
    "/v1/contacts?limit=50&q=1212",
    "/v1/contacts?limit=50&tag=none",
    "/v1/contacts?limit=50&sort=updated_at",
    "/v1/contacts/tags",
    "/v1/segments?limit=50",
  ],
  webhooks: [
    "/v1/webhook-endpoints?limit=100",
    "/v1/deliveries?limit=50",
    "/v1/deliveries?limit=50&status=failed",
    `/v1/deliveries?limit=50&webhook_endpoint_id=${endpoint}`,
    `/v1/deliveries?limit=50&message_id=${message}`,
    `/v1/metrics/deliveries?interval=1h&at_after=${ago(24)}&group_by=webhook_endpoint_id`,
  ],
  events: ["/v1/events?limit=100", `/v1/events?limit=100&contact_id=${contact}`, "/v1/events?limit=100&kind=failed"],
  "home's figures": [
    `/v1/metrics/messages?interval=1h&at_after=${ago(48)}&group_by=status`,
    `/v1/metrics/messages?interval=1d&at_after=${ago(24 * 60)}&group_by=status`,
    "/v1/messages?limit=50&status=unknown",
    "/v1/business-accounts?limit=100",
  ],
  audit: [
    "/v1/audit/activity?limit=50",
    "/v1/audit/activity?limit=50&action=message.create",
    "/v1/audit/messages?limit=50",
  ],
  others: ["/v1/templates?limit=100", "/v1/phone-numbers?limit=100", "/v1/api-keys?limit=100", "/v1/media?limit=50"],
});

/** The lists of the console's pages, of the workspace that has everything. */
export const lists: Part = {
  name: "lists",
  title: `what the console's pages read, of ${MESSAGES.toLocaleString("en-US")} messages, ${(MESSAGES / 10).toLocaleString("en-US")} contacts, ${ENDPOINTS} endpoints`,
  events: ["delivered"],
  workspaces: 1,
  rounds: 1,
  onlyNamed: true,
  bounds: { "slowest list ms": { atMost: 300 } },
  async prepare(run) {
    await fillDatabase(run.databaseUrl, MESSAGES, run.known);
    await fillEvents(run.databaseUrl, EVENTS);
    for (let n = 1; n < ENDPOINTS; n += 1)
      await call(run, "POST", "/v1/webhook-endpoints", {
        url: `https://example.com/${n}`,
        events: ["opted_out"],
      });
    await fillDeliveries(run.databaseUrl, DELIVERIES);
    return { items: 0, figures: {} };
  },
  async work(run) {
    const figures: Record<string, number> = {};
    for (const [name, paths] of Object.entries(listsOf(await idsOf(run)))) {
      const times = [];
      for (const path of paths) times.push(await medianMs(run, path));
      figures[`${name} ms`] = Math.max(...times);
    }
    figures["slowest list ms"] = Math.max(...Object.values(figures));
    return { items: ASKS * Object.keys(figures).length, figures };
  },
};

type Ids = { endpoint: string; message: string; contact: string };

async function idsOf(run: Run): Promise<Ids> {
  const first = async (path: string): Promise<Row> => {
    const { data } = await call(run, "GET", path);
    if (data[0] === undefined) throw new Error(`${path} is empty`);
    return data[0];
  };
  const message = await first("/v1/messages?status=delivered");
  const delivery = await first("/v1/deliveries?limit=1");
  return { message: message.id, contact: message.contact_id, endpoint: delivery.webhook_endpoint_id };
}

async function medianMs(run: Run, path: string): Promise<number> {
  const times = [];
  for (let n = 0; n < ASKS; n += 1) {
    const begun = performance.now();
    await call(run, "GET", path);
    times.push(performance.now() - begun);
  }
  return times.toSorted((a, b) => a - b)[(ASKS - 1) / 2] ?? Number.NaN;
}

type Row = { id: string; contact_id: string; webhook_endpoint_id: string };

async function call(
  { urls, tenants }: Run,
  method: string,
  path: string,
  body?: object,
): Promise<{ data: readonly Row[] }> {
  const reply = await fetch(`${urls[0]}${path}`, {
    method,
    headers: { authorization: `Bearer ${tenants[0]?.key}`, "content-type": "application/json" },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  const answer = (await reply.json()) as { data: readonly Row[] }; // of the lists that are asked
  if (!reply.ok) throw new Error(`${method} ${path} was answered with ${reply.status}: ${JSON.stringify(answer)}`);
  return answer;
}
