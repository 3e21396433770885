import { expect } from "vitest";
import { postCallback } from "../../../testing/callback.ts";
import type { Gateway, Sender } from "../../../testing/gateway.ts";

export const DAY_S = 86_400;
const PATIENCE = { timeout: 60_000, interval: 30 };

/** A message of a history, `ago` seconds old. */
export type Said = {
  from?: string;
  to?: string;
  id: string;
  ago: number;
  body?: string;
  status?: string;
  more?: object;
};
type Json = ReturnType<typeof JSON.parse>;
type Entry = { phone_number: string; full_name?: string; action?: string; ago?: number };

/** What the provider reports of a number that its owner also uses in the WhatsApp Business app, and what the API shows of it. */
export type Coexistence = {
  secondsAgo(ago: number): string;
  changeOf(of: Sender, field: string, value: object): object;
  past(said: Said): object;
  /** A chunk of a history. */
  chunk(of: Sender, ...threads: object[]): object;
  /** Changes in the phone book. */
  book(of: Sender, ...contacts: Entry[]): object;
  post(...entry: object[]): Promise<void>;
  settled(of: Sender): Promise<void>;
  messagesWith(of: Sender, phone: string): Promise<Json>;
  contactBy(of: Sender, phone: string): Promise<Json>;
  erase(of: Sender, phone: string): Promise<void>;
};

export function coexistenceOf(gateway: Gateway): Coexistence {
  const secondsAgo = (ago: number): string => String(Math.floor(gateway.clock.now() / 1_000) - ago);

  const changeOf = (of: Sender, field: string, value: object) => ({
    id: of.account.wabaId,
    changes: [
      {
        field,
        value: {
          messaging_product: "whatsapp",
          metadata: {
            display_phone_number: of.account.phone.slice(1),
            phone_number_id: of.account.providerPhoneNumberId,
          },
          ...value,
        },
      },
    ],
  });
  async function post(...entry: object[]): Promise<void> {
    expect((await postCallback(gateway, { object: "whatsapp_business_account", entry })).status).toBe(200);
  }
  /** Nothing is under way: neither callbacks nor what they left for later. */
  async function settled(of: Sender): Promise<void> {
    await expect.poll(() => gateway.app.db.sql.query("select from ingest"), PATIENCE).toEqual([]);
    await expect
      .poll(() => of.rows("select from job where kind = 'ingress.later' and completed_at is null"), PATIENCE)
      .toEqual([]);
  }

  const past = ({ from, to, id, ago, body, status, more = {} }: Said) => ({
    from,
    to,
    id,
    timestamp: secondsAgo(ago),
    type: "text",
    text: { body: body ?? "Hi" },
    ...(status === undefined ? {} : { history_context: { status } }),
    ...more,
  });
  const chunk = (of: Sender, ...threads: object[]) =>
    changeOf(of, "history", { history: [{ metadata: { phase: 0, chunk_order: 1, progress: 50 }, threads }] });
  const messagesWith = async (of: Sender, phone: string) =>
    (await of.call("GET", `/v1/messages?contact_id=${(await contactBy(of, phone))?.id}&limit=100`)).body.data;
  const contactBy = async (of: Sender, phone: string) =>
    (await of.call("GET", `/v1/contacts?phone=${encodeURIComponent(phone)}`)).body.data[0];
  const erase = async (of: Sender, phone: string): Promise<void> => {
    expect((await of.call("DELETE", `/v1/contacts/${(await contactBy(of, phone)).id}`)).status).toBe(204);
  };
  const book = (of: Sender, ...contacts: Entry[]) =>
    changeOf(of, "smb_app_state_sync", {
      state_sync: contacts.map(({ action = "add", ago = 10, ...contact }) => ({
        type: "contact",
        contact,
        action,
        metadata: { timestamp: secondsAgo(ago) },
      })),
    });
  return { secondsAgo, changeOf, past, chunk, book, post, settled, messagesWith, contactBy, erase };
}
