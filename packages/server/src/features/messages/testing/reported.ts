import { expect } from "vitest";
import { callbackOf, postCallback } from "../../../testing/callback.ts";
import { withClient } from "../../../testing/client.ts";
import type { Gateway, Sender } from "../../../testing/gateway.ts";
import { startReceiver } from "../../webhooks/testing/receiver.ts";

export const REPORTED_PATIENCE = { timeout: 30_000, interval: 15 };

type Json = ReturnType<typeof JSON.parse>;

/** What a test says as the provider, and what the API shows of it. */
export type Reporting = {
  /** Posts one callback of an account with these values; the answer must be 200. */
  tell(of: Sender, ...values: object[]): Promise<void>;
  /** A text of a person, with more fields; `contact` has more of its sender. */
  text(from: string, id: string, more?: object, contact?: object): object;
  /** One that the business wrote to a person in the WhatsApp Business app. */
  echo(of: Sender, to: string, id: string, more?: object): object;
  /** The message of a provider's id, once it is there, as events have it. */
  shown(of: Sender, id: string): Promise<Json>;
  /** It with its history. */
  history(of: Sender, id: string): Promise<Json>;
  /** Leaves a workspace's rows as an earlier version has written them, without the columns that this one fills. */
  forget(of: Sender): Promise<void>;
  /** Reasons in quarantine, sorted. */
  setAside(): Promise<string[]>;
  /** Subscribes to everything; resolves with the kinds and data of the events so far, in any order. */
  events(of: Sender): Promise<() => { kind: string; category: string; data: Json }[]>;
  close(): Promise<void>;
};

export function reportingOf(gateway: Gateway): Reporting {
  const closes: (() => Promise<void>)[] = [];
  const timestamp = () => String(Math.floor(gateway.clock.now() / 1_000));
  const find = async (of: Sender, id: string): Promise<Json> =>
    (await of.call("GET", "/v1/messages?limit=100")).body.data.find(
      (message: { provider_message_id: string }) => message.provider_message_id === id,
    );
  const shown = async (of: Sender, id: string): Promise<Json> => {
    await expect.poll(() => find(of, id), REPORTED_PATIENCE).toBeDefined();
    const { preview: _preview, ...message } = await find(of, id);
    return message;
  };
  return {
    async tell(of, ...values) {
      expect((await postCallback(gateway, callbackOf(of.account, ...values))).status).toBe(200);
    },
    text: (from, id, more = {}, contact = {}) => ({
      contacts: [{ profile: { name: "Ana" }, wa_id: from, ...contact }],
      messages: [{ from, id, timestamp: timestamp(), type: "text", text: { body: "Hi" }, ...more }],
    }),
    echo: ({ account }, to, id, more = {}) => ({
      message_echoes: [
        {
          from: account.phone.slice(1),
          to,
          id,
          timestamp: timestamp(),
          type: "text",
          text: { body: "By phone" },
          ...more,
        },
      ],
    }),
    shown,
    history: async (of, id) => (await of.call("GET", `/v1/messages/${(await shown(of, id)).id}`)).body,
    forget: ({ uuid }) =>
      withClient(gateway.database.url, async (client) => {
        await client.query("begin");
        // The owner sees the rows of this workspace.
        await client.query("select set_config('app.workspace_id', $1, true)", [uuid]);
        await client.query("update message set occurred_at = null, provided = null");
        const { rowCount } = await client.query("update provider_message set inbound = null");
        expect(rowCount).toBeGreaterThan(0);
        await client.query("commit");
      }),
    setAside: async () =>
      (await gateway.operator("GET", "/admin/v1/quarantine?limit=100")).body.data
        .map(({ reason }: { reason: string }) => reason)
        .toSorted(),
    async events(of) {
      const receiver = await startReceiver();
      closes.push(() => receiver.close());
      await of.call("POST", "/v1/webhook-endpoints", { body: { url: receiver.url, events: ["*"] } });
      return () => receiver.received.map(({ body: { kind, category, data } }) => ({ kind, category, data }));
    },
    async close() {
      for (const close of closes) await close();
    },
  };
}
