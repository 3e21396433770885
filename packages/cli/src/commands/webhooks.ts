import { setTimeout as pause } from "node:timers/promises";
import type { NewReplay, NewWebhookEndpoint, Replay, Waypost } from "@waypost/sdk";
import { UsageError } from "../errors.ts";
import { Progress } from "../progress.ts";
import { type Declared, type Given, type Group, ID, lists, shows, text } from "./command.ts";
import { CREATED } from "./messages.ts";

const ENDPOINT = ID("whe_", "the endpoint");
const LOOK_EVERY_MS = 500;

const create: Declared = shows({
  name: "create",
  does: "create an endpoint; its secret is printed only once",
  key: "workspace",
  operation: "webhookEndpoints.create",
  example: "webhooks create --url https://example.com/hooks --events messages,delivered,failed",
  options: [
    { name: "url", does: "https, where events are posted", isRequired: true },
    { name: "events", does: "kinds, or *; all by default", kind: "list" },
    { name: "format", does: "waypost, or the provider's own callbacks", choices: ["waypost", "provider"] },
    { name: "fields", does: "of the format provider, such as messages", kind: "list" },
    { name: "description", does: "yours" },
    { name: "ordered", does: "in order within each conversation", kind: "flag" },
    { name: "phone_number_ids", does: "num_…: only of these numbers", kind: "list" },
    { name: "business_account_ids", does: "acc_…: only of these accounts", kind: "list" },
    { name: "timeout_seconds", does: "how long a receiver may take; 15 by default", kind: "number" },
    { name: "rate_per_second", does: "at most so many deliveries", kind: "number" },
  ],
  one: async ({ workspace, given }) => {
    const isProvider = given["format"] === "provider";
    if (isProvider === (given["fields"] === undefined))
      throw new UsageError(
        isProvider
          ? "--format provider needs --fields, such as messages"
          : "--fields belongs to --format provider: give --events",
      );
    const kinds = isProvider ? {} : { events: ["*"] };
    return await (await workspace()).webhookEndpoints.create({ ...kinds, ...given } as NewWebhookEndpoint); // named as the API's
  },
});

const enabling = (name: string, enabled: boolean, does: string): Declared =>
  shows({
    name,
    does,
    key: "workspace",
    example: `webhooks ${name} whe_01jd0000000000000000000000`,
    argument: ENDPOINT,
    one: async ({ workspace, argument }) => (await workspace()).webhookEndpoints.update(argument, { enabled }),
  });

const deliveries: Declared = lists({
  name: "deliveries",
  does: "list deliveries, of one endpoint or of all",
  key: "workspace",
  operation: "deliveries.list",
  example: "webhooks deliveries whe_01jd0000000000000000000000 --status failed",
  argument: { ...ENDPOINT, isOptional: true },
  options: [
    { name: "status", does: "one of", choices: ["pending", "succeeded", "failed", "parked"] },
    { name: "kind", does: "of the event, such as delivered" },
    { name: "message_id", does: "msg_…: of events of this message" },
    { name: "contact_id", does: "con_…: of events of this contact" },
    ...CREATED,
  ],
  columns: ["id", "status", "kind", "attempt", "next_attempt_at", "created_at", "event_id", "webhook_endpoint_id"],
  rows: async function* ({ workspace, argument }, query) {
    const { deliveries: all, webhookEndpoints } = await workspace();
    yield* argument === "" ? all.list(query) : webhookEndpoints.listDeliveries(argument, query);
  },
});

const replay: Declared = shows({
  name: "replay",
  does: "deliver events of a period again; with --follow until it has ended, and then with exit code 1 if any failed",
  key: "workspace",
  operation: "webhookEndpoints.createReplay",
  example: "webhooks replay whe_01jd0000000000000000000000 --created-after 2030-01-31T00:00:00Z --only failed",
  argument: ENDPOINT,
  options: [
    { name: "created_after", does: "events later than this", kind: "time", isRequired: true },
    { name: "created_before", does: "events earlier than this; now by default", kind: "time" },
    { name: "events", does: "only these kinds", kind: "list" },
    { name: "only", does: "which of them", choices: ["failed", "missing", "all"] },
    { name: "dry_run", does: "count them, and deliver nothing", kind: "flag" },
    { name: "follow", does: "wait until it has ended", kind: "flag", isOwn: true },
  ],
  one: async ({ workspace, argument, given, settle }) => {
    const api = await workspace();
    const begun = await api.webhookEndpoints.createReplay(argument, replayOf(given));
    if (given["follow"] !== true) return begun;
    const ended = await follow(api, begun);
    if (ended.status === "failed" || ended.progress.failed > 0) settle(1);
    return ended;
  },
});

export const group: Group = {
  name: "webhooks",
  does: "webhook endpoints and what was delivered to them",
  commands: [
    lists({
      name: "list",
      does: "list endpoints, also disabled ones",
      key: "workspace",
      operation: "webhookEndpoints.list",
      example: "webhooks list",
      columns: ["id", "status", "format", "events", "url", "description"],
      rows: async function* ({ workspace }, query) {
        yield* (await workspace()).webhookEndpoints.list(query);
      },
    }),
    create,
    shows({
      name: "show",
      does: "show an endpoint",
      key: "workspace",
      operation: "webhookEndpoints.get",
      example: "webhooks show whe_01jd0000000000000000000000",
      argument: ENDPOINT,
      one: async ({ workspace, argument }) => (await workspace()).webhookEndpoints.get(argument),
    }),
    shows({
      name: "test",
      does: "send an event of kind endpoint_test to an endpoint",
      key: "workspace",
      operation: "webhookEndpoints.test",
      example: "webhooks test whe_01jd0000000000000000000000",
      argument: ENDPOINT,
      one: async ({ workspace, argument }) => (await workspace()).webhookEndpoints.test(argument),
    }),
    enabling("enable", true, "enable an endpoint, and release the deliveries that were parked"),
    enabling("disable", false, "disable an endpoint: its events are parked"),
    deliveries,
    shows({
      name: "delivery",
      does: "show a delivery with its attempts",
      key: "workspace",
      operation: "deliveries.get",
      example: "webhooks delivery dlv_01jd0000000000000000000000",
      argument: ID("dlv_", "the delivery"),
      one: async ({ workspace, argument }) => (await workspace()).deliveries.get(argument),
    }),
    shows({
      name: "retry",
      does: "try a delivery again now",
      key: "workspace",
      operation: "deliveries.retry",
      example: "webhooks retry dlv_01jd0000000000000000000000",
      argument: ID("dlv_", "the delivery"),
      one: async ({ workspace, argument }) => (await workspace()).deliveries.retry(argument),
    }),
    replay,
  ],
};

function replayOf({ follow: _own, ...given }: Given): NewReplay {
  return { ...given, created_after: text(given, "created_after") }; // named as the API's
}

async function follow({ webhookEndpoints }: Waypost, begun: Replay): Promise<Replay> {
  const progress = new Progress("replay", 1);
  try {
    for (let now = begun; ; now = await webhookEndpoints.getReplay(now.webhook_endpoint_id, now.id)) {
      const { matched, scheduled, succeeded, failed } = now.progress;
      const part = scheduled === 0 ? 0 : (succeeded + failed) / scheduled;
      progress.set(part, `${matched} events, ${succeeded} delivered, ${failed} failed`);
      if (now.completed_at !== null) return now;
      await pause(LOOK_EVERY_MS);
    }
  } finally {
    progress.end();
  }
}
