import { expect } from "vitest";
import { callbackOf, postCallback, textFrom } from "../../../testing/callback.ts";
import type { Gateway, Sender } from "../../../testing/gateway.ts";

/** A contact, as far as tests of who is who look at it. */
export type Found = {
  id: string;
  phone: string | null;
  wa_id: string | null;
  user_id: string | null;
  windows: { open: boolean }[];
};

/** The time that a test of people waits for what is learned. */
export const PATIENCE = { timeout: 30_000, interval: 15 };

/** What people do and are found by, in the workspace of `mine`. Digits and user ids are as they are in a callback. */
export function peopleOf(gateway: Gateway, mine: Sender) {
  const post = async (...values: object[]): Promise<void> => {
    expect((await postCallback(gateway, callbackOf(mine.account, ...values))).status).toBe(200);
  };

  /** A text; resolves with the uuid of the contact that it is of. */
  async function hear(digits: string | null, userId: string | null = null, more: object = {}): Promise<string> {
    const id = `wamid.${Math.random()}`;
    const { messages } = textFrom(digits ?? "", id, "Hello", gateway.clock.now()) as { messages: object[] };
    const contact = { profile: { name: "Ana" }, ...(digits && { wa_id: digits }), ...(userId && { user_id: userId }) };
    const message = {
      ...messages[0],
      ...(digits === null ? { from: undefined } : {}),
      ...(userId && { from_user_id: userId }),
      ...more,
    };
    await post({ contacts: [contact], messages: [message] });
    const [row] = await mine.rows<{ contact_id: string }>(
      "select s.contact_id from message_state s where s.provider_message_id = $1",
      [id],
    );
    return row?.contact_id ?? "";
  }

  return {
    post,
    hear,
    /** A text of a person who is named by a parent id, perhaps with a user id. */
    hearParent: (parent: string, userId?: string): Promise<string> =>
      hear(null, null, { from_parent_user_id: parent, ...(userId && { from_user_id: userId }) }),
    find: async (phone: string, of = mine): Promise<Found | undefined> =>
      (await of.call("GET", `/v1/contacts?phone=${encodeURIComponent(phone)}`)).body.data[0],
    get: async (id: string, of = mine): Promise<Found> => (await of.call("GET", `/v1/contacts/${id}`)).body,
    text: (to: string, of = mine) =>
      of.call("POST", "/v1/messages", { body: { to, type: "text", text: { body: "Hi" } } }),
    seconds: (): number => Math.floor(gateway.clock.now() / 1_000),
  };
}

/** The notice that a person changed from one number to another, at a second of the provider's clock. */
export const changeOf = (
  from: string,
  to: string,
  atSeconds: number,
  ids: { old?: string; new?: string } = {},
): { messages: object[] } => ({
  messages: [
    {
      from,
      ...(ids.old && { from_user_id: ids.old }),
      id: `wamid.change.${from}.${to}.${atSeconds}`,
      timestamp: String(atSeconds),
      type: "system",
      system: {
        type: "user_changed_number",
        wa_id: to,
        ...(ids.new && { user_id: ids.new, previous_user_id: ids.old }),
      },
    },
  ],
});
