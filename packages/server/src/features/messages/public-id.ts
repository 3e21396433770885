import { randomBytes } from "node:crypto";
import type { App } from "../../ctx.ts";
import { BatchedCalls, type CallsOf } from "../../db/batched.ts";
import type { Sql } from "../../db/database.ts";
import { formatId } from "../../lib/ids.ts";
import type { MessageError } from "./message-error.ts";
import { decidePublicIds, selectMessageRowOfPublicId } from "./public-id.store.ts";

/** As many characters as most ids of the provider have behind their `wamid.`. */
const CHARACTERS = 56;
/** Of base64 only those that need no escape in a path: of 64 bytes far more are left. */
const RANDOM_BYTES = 64;

/** A new id of a message in the form of the provider's, with nothing of the message in it. */
export function newMintedId(): string {
  const text = randomBytes(RANDOM_BYTES).toString("base64").replace(/[+/=]/g, "");
  return `wamid.${text.slice(0, CHARACTERS)}`;
}

/** The one id under which callbacks and answers in the provider's form have a message. */
export type PublicId = {
  /** That of the provider, unless another was needed before it was known. */
  publicId: string;
  /** It is not the provider's. */
  minted: boolean;
  /** The message has ended, without reaching the provider or refused by it: then its id there is ours (`msg_…`). `error` says why. */
  ended: { error: MessageError | null } | null;
};

/** Decides what the public ids of messages are, once for all processes. */
export class PublicIds {
  readonly #calls: CallsOf<typeof decidePublicIds>;

  constructor({ db, clock }: Pick<App, "db" | "clock">) {
    this.#calls = new BatchedCalls({ db, clock, fn: decidePublicIds, group: (row) => row.workspace_id });
  }

  /** Of a message of the workspace, by its uuid. Where nothing is known of it at the provider it is a minted one from now on. */
  async decide(workspaceId: string, messageId: string): Promise<PublicId> {
    const row = { workspace_id: workspaceId, message_id: messageId, minted_id: newMintedId() };
    const { public_id, minted, error } = await this.#calls.submit(row);
    return public_id === null
      ? { publicId: formatId("msg", messageId), minted: false, ended: { error } }
      : { publicId: public_id, minted, ended: null };
  }

  drained(): Promise<void> {
    return this.#calls.drained();
  }
}

/** A message that a client names by an id of the provider's form. Uuids. */
export type NamedMessage = {
  messageId: string;
  direction: "outbound" | "inbound";
  phoneNumberId: string;
  contactId: string;
  /** The first that the provider gave it. */
  providerMessageId: string | null;
};

/** Visible ASCII, as all ids of the provider: what else a client gives is none. */
const FORM = /^[\x21-\x7e]{1,256}$/;

/**
 * The message of the workspace that was answered or reported under this id, or that the provider calls so; null for one of another
 * workspace as for an unknown one.
 */
export async function findMessageByPublicId(
  sql: Sql,
  workspaceId: string,
  publicId: string,
): Promise<NamedMessage | null> {
  if (!FORM.test(publicId)) return null;
  const row = await selectMessageRowOfPublicId(sql, workspaceId, publicId);
  return (
    row && {
      messageId: row.id,
      direction: row.outbound ? "outbound" : "inbound",
      phoneNumberId: row.phone_number_id,
      contactId: row.contact_id,
      providerMessageId: row.provider_message_id,
    }
  );
}
