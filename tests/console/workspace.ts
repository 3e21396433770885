import { vi } from "vitest";
import { countAllMessages } from "../../packages/server/src/features/metrics/counting.ts";
import { startReceiver } from "../../packages/server/src/features/webhooks/testing/receiver.ts";
import { postCallback } from "../../packages/server/src/testing/callback.ts";
import type { Sender } from "../../packages/server/src/testing/gateway.ts";
import { PATIENCE } from "../../packages/server/src/testing/patience.ts";
import type { PageState } from "./pages.ts";
import type { Stage } from "./stage.ts";

/** A workspace that has something of everything that `pages.ts` names. */
export type TestWorkspace = { mine: Sender; addressOf(page: PageState): string; close(): Promise<void> };

export async function openWorkspace(stage: Stage): Promise<TestWorkspace> {
  /** What stands for the names in addresses of pages. */
  const named: Record<string, string> = {};
  const mine = await stage.gateway.sender();
  named.WORKSPACE = mine.id;
  const { body } = await mine.send("+15551230001", { reference: "order-17" });
  await mine.becomes(body.id, "accepted");
  named.MESSAGE = body.id;
  named.CONTACT = (await mine.inbound("+15551230001")).contact_id;
  named.NUMBER = mine.phoneNumberId;
  await mine.call("PATCH", `/v1/contacts/${body.contact_id}`, {
    body: { marketing_consent: "opted_in", attributes: { city: "Recife" } },
  });
  await mine.call("POST", `/v1/contacts/${body.contact_id}/tags`, { body: { tags: ["vip", "wholesale"] } });
  const { body: imported } = await mine.call("POST", "/v1/contacts/imports", {
    body: "phone,locale\n+15552000031,not a language\n",
    headers: { "content-type": "text/csv" },
  });
  named.IMPORT = imported.id;
  named.SEGMENT = await segmentOf(mine);
  await failOne(stage, mine);
  named.REJECTED = await rejectedTemplate(stage, mine);
  const receiver = await startReceiver();
  const { body: endpoint } = await mine.call("POST", "/v1/webhook-endpoints", {
    body: {
      url: receiver.url,
      events: ["messages", "delivered"],
      description: "Shop backend",
      headers: { "x-shop": "7" },
    },
  });
  named.ENDPOINT = endpoint.id;
  const { body: delivery } = await mine.call("POST", `/v1/webhook-endpoints/${endpoint.id}/test`);
  named.DELIVERY = delivery.id;
  await receiver.got(1);
  const { body: replay } = await mine.call("POST", `/v1/webhook-endpoints/${endpoint.id}/replays`, {
    body: { created_after: new Date(stage.gateway.clock.now() - 60_000).toISOString() },
  });
  named.REPLAY = replay.id;
  named.NUMBER = mine.phoneNumberId;
  named.SIGNUP = await failedSignup(mine);
  named.QUARANTINED = await setAside(stage);
  return {
    mine,
    addressOf: ({ at }) => at.replaceAll(/[A-Z_]{3,}/g, (name) => named[name] ?? name),
    close: () => receiver.close(),
  };
}

/** Sends a message that the provider refuses, and waits until it is counted. */
async function failOne(stage: Stage, { send, becomes, call }: Sender): Promise<void> {
  stage.gateway.simulator.addFault({ kind: "refuse", code: 131026, recipient: "15551230008" });
  const { body } = await send("+15551230008");
  await becomes(body.id, "failed");
  await vi.waitFor(async () => {
    await countAllMessages(stage.gateway.app);
    const { data } = (await call("GET", "/v1/metrics/messages?group_by=error_code")).body;
    if (data.length === 0) throw new Error("the failure is not counted yet");
  }, PATIENCE);
}

/** A segment whose filter has a condition of each kind that looks its own way. Resolves with its id. */
async function segmentOf({ call }: Sender): Promise<string> {
  const filter = {
    all: [
      { field: "tags", op: "contains", value: "vip" },
      {
        any: [
          { field: "attributes.city", op: "eq", value: "Recife" },
          { field: "attributes.orders", op: "gte", value: 3 },
          { field: "locale", op: "in", value: ["pt_BR", "en"] },
        ],
      },
      { not: { field: "marketing_consent", op: "eq", value: "opted_out" } },
      { field: "last_inbound_at", op: "within_last", value: "P7D" },
      { field: "created_at", op: "gt", value: "2020-01-31T09:00:00Z" },
    ],
  };
  return (await call("POST", "/v1/segments", { body: { name: "Close ones in Recife", filter } })).body.id;
}

/** A template that the provider has refused. Resolves with its id. */
async function rejectedTemplate(stage: Stage, mine: Sender): Promise<string> {
  const components = [
    { type: "HEADER", format: "TEXT", text: "Your parcel" },
    { type: "BODY", text: "Hi {{1}}, it is late. Buy another!", example: { body_text: [["Ana"]] } },
    { type: "FOOTER", text: "Shop backend" },
    { type: "BUTTONS", buttons: [{ type: "URL", text: "Track", url: "https://example.com/track" }] },
  ];
  const { body } = await mine.call("POST", "/v1/templates", {
    body: { name: "parcel_late", language: { code: "en_US" }, category: "utility", components },
  });
  const reason = "TAG_CONTENT_MISMATCH";
  stage.gateway.simulator.decideTemplate(body.provider_template_id, { status: "REJECTED", reason });
  await vi.waitFor(async () => {
    const { body: shown } = await mine.call("GET", `/v1/templates/${body.id}`);
    if (shown.status !== "rejected") throw new Error("the template is not rejected yet");
  }, PATIENCE);
  return body.id;
}

/** A signup whose code the provider has refused. */
async function failedSignup(mine: Sender): Promise<string> {
  const { body } = await mine.call("POST", "/v1/embedded-signups", { body: { code: "spent" } });
  const path = `/v1/embedded-signups/${body.id}`;
  await vi.waitFor(async () => {
    const { status } = (await mine.call("GET", path)).body;
    if (status !== "failed") throw new Error(`the signup is ${status}`);
  }, PATIENCE);
  return body.id;
}

/** A callback that is no JSON. Resolves with its id in quarantine. */
async function setAside({ gateway }: Stage): Promise<string> {
  await postCallback(gateway, "<html>502 Bad Gateway</html>");
  return await vi.waitFor(async () => {
    const { data } = (await gateway.operator("GET", "/admin/v1/quarantine?reason=not_json")).body;
    if (data.length === 0) throw new Error("nothing is in quarantine yet");
    return data[0].id;
  }, PATIENCE);
}
