import { columns, lookUp, of } from "../../../db/hot-function.ts";
import type { EventStep } from "../../events/event.sql.ts";
import type { DefaultConsent } from "../../identity/consent/keywords.ts";
import { KNOWN_SENDER_COLUMNS, READ_SENDER, SENDER_CONTACT, saysMore } from "../../identity/sender.sql.ts";
import type { OwnerStep } from "../../threads/owner.sql.ts";
import { isOfGroup } from "../../threads/thread.sql.ts";
import { IS_COPY, REPORTED_MESSAGE } from "./reported-message.sql.ts";

// What a message that came in is to be known of, and writes: parts of the statements that take it among others or alone. They are of its row `x`.

export const INBOUND_MESSAGE = columns({
  ...REPORTED_MESSAGE,
  /** The raw callback that has it. */
  callback_id: "uuid?",
  opens_window: "boolean",
  /** What it says, folded, a line for each text, where it is so short that it may be a keyword; and what that means where the defaults apply. */
  words: "text?",
  default_consent: of<DefaultConsent>("text?"),
});

/** What is read of it where its person is known. */
export const KNOWN = columns({ ...INBOUND_MESSAGE, ...KNOWN_SENDER_COLUMNS });

/** The contact that the quoted message was exchanged with: only that person can quote it, except in a group. */
export const ADDRESSED = `case when x.reply_to_provider_id is not null and not (${isOfGroup("x")}) then
      contact_of_message(x.workspace_id, message_of_provider_id(x.workspace_id, x.reply_to_provider_id)) end`;

const WORDS = "string_to_array(x.words, e'\\n')";

/**
 * What the message says of marketing, by the keywords of its workspace `w`: in both lists it is an opt-out. Keywords that the
 * workspace chose opt in; the defaults only end an opt-out (`resumed`).
 */
const CONSENT = `case
      when x.words is null then null
      when case when w.opt_out_words is null then x.default_consent = 'opted_out' else w.opt_out_words && ${WORDS} end
        then 'opted_out'
      when w.opt_in_words is null then nullif(x.default_consent, 'opted_out')
      when x.type <> 'interactive' and w.opt_in_words && ${WORDS} then 'opted_in' end`;

/** boolean: whether it teaches something of its person `p`. */
const SAYS_MORE = saysMore(ADDRESSED);
const NUMBER = "select n.phone from phone_number n where n.workspace_id = x.workspace_id and n.id = x.phone_number_id";
const KEYWORDS =
  "select w.opt_out_words, w.opt_in_words from workspace w where x.words is not null and w.workspace_id = x.workspace_id";

/**
 * A select of the rows of a `from` list, each with its contact, whether it teaches something of that person (`says_more`), and what it says
 * of marketing. Each column that passes through the parts of a statement costs something.
 */
export const givenRows = (from: string): string => `
    select x.workspace_id, x.id, x.phone_number_id, x.provider_message_id, x.type, x.content, x.reply_to_provider_id,
      x.opens_window, x.at, x.provided, x.callback_id, x.phone, x.ordinality, p.id as contact_id, ${SAYS_MORE} as says_more,
      n.phone as number_phone, ${CONSENT} as consent
    from ${from}
    ${SENDER_CONTACT}
    ${lookUp("n", NUMBER)}
    ${lookUp("w", KEYWORDS)}`;

/**
 * The same of the message `x` that is alone in its call, as statements that fill it, and leave the block `alone` where it is not usual: where it
 * teaches something, says something of marketing, is of a group, or a copy.
 */
export const READ_ALONE = `
    ${READ_SENDER}
    exit alone when not found or ${SAYS_MORE} is not false or ${isOfGroup("x")} or ${IS_COPY};
    if x.words is not null then
      ${KEYWORDS} into w;
      exit alone when ${CONSENT} is not null;
    end if;
    ${NUMBER} into x.number_phone;
    x.contact_id := p.id;`;

/** Of `insertNames`. */
export const NAME = "x.workspace_id, x.provider_message_id, x.id, now, true";
/** Inserts the provider's ids, but for those that are known. `rows` selects `NAME`. */
export const insertNames = (rows: string): string => `
    insert into provider_message (workspace_id, provider_message_id, message_id, created_at, inbound)
    ${rows}
    on conflict do nothing`;

/** Opens the windows. `rows` selects workspace, contact, number, the last time that opens one, and `now`. */
export const upsertWindows = (rows: string): string => `
    insert into conversation as v (workspace_id, contact_id, phone_number_id, last_inbound_at, last_message_at)
    ${rows}
    on conflict (workspace_id, contact_id, phone_number_id) do update set
      last_inbound_at = greatest(v.last_inbound_at, excluded.last_inbound_at), last_message_at = excluded.last_message_at
    returning v.owner_role is not null as has_owner`;

/** For `insertReported`. */
export const RECEIVED_VALUES = { outbound: "false", recipient: "x.number_phone", sender: "x.phone", created_at: "now" };

/** Inserts the state of the rows `x` of a `from` list; of the one in a variable `x` where there is none. */
export const insertReceivedStates = (from: string): string => `
    insert into message_state (workspace_id, id, contact_id, conversation, provider_message_id)
    select x.workspace_id, x.id, x.contact_id, x.conversation, x.provider_message_id ${from}`;

export const receivedEvent = (kind: string): EventStep => ({
  workspace: "x.workspace_id",
  kind,
  message: "x.id",
  contact: "x.contact_id",
  phoneNumber: "x.phone_number_id",
  occurredAt: "x.at",
  state: "json_build_object('seen', 0, 'rank', 0, 'provider_message_id', x.provider_message_id)",
  conversation: "x.conversation",
  callback: "x.callback_id",
});

/** Who owns the conversation, as it is said by whom the message came to. */
export const ownerSaid = (isCopy: string): OwnerStep => ({
  workspace: "x.workspace_id",
  contact: "x.contact_id",
  phoneNumber: "x.phone_number_id",
  role: `case when ${isCopy} then 'other' else 'self' end`,
  at: "x.at",
  // Of most numbers this app is the only responder, and no row asks who owns their conversations.
  isPlain: `not ${isCopy}`,
});
