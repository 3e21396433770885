import { expect } from "vitest";
import { postCallback } from "../../../testing/callback.ts";
import type { Gateway, Sender } from "../../../testing/gateway.ts";

type Json = ReturnType<typeof JSON.parse>;
const PATIENCE = { timeout: 30_000, interval: 15 };

/** What a test says as a provider that has several responders, and what the API shows of it. People are digits. */
export type Threads = {
  /** Posts one callback with these changes; the answer must be 200. */
  post(...changes: Change[]): Promise<void>;
  /** A person's message, on field `messages` or as a copy. `ago`: seconds before now. */
  message(field: "messages" | "standby", from: string, id: string, more?: { ago?: number; text?: string }): Change;
  /** What the owner of the conversation wrote. */
  otherWrote(to: string, id: string, more?: { ago?: number; type?: string }): Change;
  status(field: "messages" | "standby", id: string, status: string, more?: object): Change;
  passed(from: string, more?: Handing): Change;
  taken(from: string, more?: Handing): Change;
  /** Once it is the owner's role: the owner of the person's conversation. */
  owner(of: string, role: string): Promise<{ role: string; since: string | null }>;
  /** The conversation now; undefined where none is listed. */
  conversation(of: string): Promise<Json>;
  /** `kind previous→owner` of the changes of owner so far, in their order. */
  changesOf(of: string): Promise<string[]>;
  /** Kinds of the events of messages with this provider's id. */
  kindsOf(id: string): Promise<string[]>;
};

export type Change = { field: string; value: object };
type Handing = { ago?: number; said?: object; userId?: string };

export function threadsOf(gateway: Gateway, sender: Sender): Threads {
  const { account } = sender;
  const digits = account.phone.slice(1);
  const metadata = { display_phone_number: digits, phone_number_id: account.providerPhoneNumberId };
  const seconds = (ago = 0) => String(Math.floor(gateway.clock.now() / 1_000) - ago);
  const ofNumber = (field: string, value: object): Change => ({
    field,
    value: { messaging_product: "whatsapp", metadata, ...value },
  });
  const handed = (type: string, from: string, { ago, said, userId }: Handing): Change => ({
    field: "messaging_handovers",
    value: {
      messaging_product: "whatsapp",
      sender: userId === undefined ? { phone_number: from } : { user_id: userId },
      recipient: { phone_number_id: account.providerPhoneNumberId, display_phone_number: digits },
      type,
      timestamp: seconds(ago),
      [type]: { previous_owner_role: "customer_service", new_owner_role: "escalation", ...said },
    },
  });
  const conversation = async (of: string): Promise<Json> => {
    const contacts = (await sender.call("GET", `/v1/contacts?phone=%2B${of}`)).body.data;
    if (contacts.length === 0) return undefined;
    return (await sender.call("GET", `/v1/conversations?contact_id=${contacts[0].id}`)).body.data[0];
  };
  return {
    async post(...changes) {
      const payload = { object: "whatsapp_business_account", entry: [{ id: account.wabaId, changes }] };
      expect((await postCallback(gateway, payload)).status).toBe(200);
    },
    message(field, from, id, { ago, text = "Hi" } = {}) {
      const lists = {
        contacts: [{ profile: { name: "Ana" }, wa_id: from }],
        messages: [{ from, id, timestamp: seconds(ago), type: "text", text: { body: text } }],
      };
      return ofNumber(field, field === "standby" ? { standby: lists } : lists);
    },
    otherWrote: (to, id, { ago, type = "text" } = {}) =>
      ofNumber("standby", {
        standby: {
          message_echoes: [
            {
              id,
              timestamp: seconds(ago),
              message: {
                messaging_product: "whatsapp",
                to,
                type,
                [type]: type === "text" ? { body: "How can I help?" } : { name: "sale", language: { code: "en" } },
              },
            },
          ],
        },
      }),
    status(field, id, status, more = {}) {
      const lists = { statuses: [{ id, status, timestamp: seconds(), recipient_id: "15550001111", ...more }] };
      return ofNumber(field, field === "standby" ? { standby: lists } : lists);
    },
    passed: (from, more = {}) => handed("control_passed", from, more),
    taken: (from, more = {}) => handed("control_taken", from, more),
    async owner(of, role) {
      await expect.poll(async () => (await conversation(of))?.owner.role, PATIENCE).toBe(role);
      return (await conversation(of)).owner;
    },
    conversation,
    async changesOf(of) {
      const rows = await sender.rows<{ said: string }>(
        `select concat(e.kind, ' ', e.state->'previous_owner'->>'role', '→', e.state->'owner'->>'role') as said
         from event e join contact c on c.workspace_id = e.workspace_id and c.id = e.contact_id
         where e.kind like 'thread_%' and c.phone = $1 order by e.sequence`,
        [`+${of}`],
      );
      return rows.map(({ said }) => said);
    },
    async kindsOf(id) {
      const rows = await sender.rows<{ kind: string }>(
        `select e.kind from event e join message_state s on s.workspace_id = e.workspace_id and s.id = e.message_id
         where s.provider_message_id = $1 order by e.sequence`,
        [id],
      );
      return rows.map(({ kind }) => kind);
    },
  };
}
