import { lookUp, sqlInterval } from "../../../db/hot-function.ts";
import { ANSWER_KEPT_MS, KEY_KEPT_MS } from "../../../http/idempotency.ts";
import { statusCanSend } from "../../accounts/numbers/number-status.sql.ts";
import { optedOut } from "../../identity/consent/consent.sql.ts";
import { contactByPhone, contactByUserId, contactWithoutIdentifiers, scopeOf } from "../../identity/identifiers.sql.ts";
import type { Reach } from "../../identity/possible-duplicates.sql.ts";
import { oldestMinute, recipientOf } from "../../limits/ledger.sql.ts";
import { lacksMedia } from "../../media/media-of-sends.sql.ts";
import { isOthers } from "../../threads/owner.sql.ts";
import { isOutsideWindow } from "../../threads/thread.sql.ts";
import { windowClosed } from "../message.sql.ts";
import { needsWindow } from "../types.ts";

// What `accept_messages` decides by. Expressions are of its row `x` and of the look-ups below, beside the function's variables
// `batch_now`, `rows_with_quote` and `beyond`, and in the verdict of `m`, the row of a message that an earlier call has stored.

/** How a row of `accept_messages` names its recipient. */
export const RECIPIENT = {
  workspace: "x.workspace_id",
  scope: scopeOf("a"),
  phone: "substr(x.phone, 2)",
  e164: "x.phone",
  key: "x.phone_key",
  loose: "x.phone_loose",
  userId: "x.user_id",
};

const contactWhere = (is: string): string =>
  `select c.id, c.phone, c.wa_id, c.marketing_consent from contact c where c.workspace_id = x.workspace_id and ${is}`;
/** The recipient by the column of the contact that holds its number, which gives most people in one look-up. */
export const CONTACT_OF_PHONE = contactWhere("x.user_id is null and c.phone = x.phone");

/** The recipient: by number, else by `named`: uuid. */
const contactOf = (named: string): string =>
  lookUp(
    "c",
    `
  ${CONTACT_OF_PHONE}
  union all
  ${contactWhere(`c.id = ${named}`)}
  limit 1`,
  );

/** A row of the workspace, by the rest of its key. */
const fact = (alias: string, columns: string, table: string, where: string): string =>
  `select ${columns} from ${table} ${alias} where ${alias}.workspace_id = x.workspace_id and ${where}`;

/** The rows that decide, each by itself: selects of what is read of them. `lookUp` joins them, in this order. */
export const FACT = {
  k: fact(
    "k",
    "k.resource_id, k.fingerprint, k.created_at",
    "idempotency_key",
    `k.digest = decode(x.key, 'hex') and k.created_at >= batch_now - coalesce(make_interval(secs => x.key_kept), ${sqlInterval(KEY_KEPT_MS)})`,
  ),
  n: fact("n", "n.lane, n.status, n.business_account_id", "phone_number", "n.id = x.phone_number_id"),
  a: fact("a", "a.status, a.portfolio_id, a.provider_account_id", "business_account", "a.id = n.business_account_id"),
  t: fact("t", "t.status, t.revision", "template", "t.id = x.template_id"),
  v: fact(
    "v",
    "v.last_inbound_at, v.last_message_at, v.owner_role, v.owner_since",
    "conversation",
    "v.contact_id = c.id and v.phone_number_id = x.phone_number_id",
  ),
} as const;
const joined = (alias: keyof typeof FACT): string => lookUp(alias, FACT[alias]);

/** The sending number and its account. */
export const SENDER = [joined("n"), joined("a")].join("\n  ");

/** What decides, but for the window. The same look-ups serve two passes, so that a refused row makes no contact either. */
const factsOf = (recipient: string): string => [joined("k"), SENDER, recipient, joined("t")].join("\n  ");

/** Few are named by anything else: written out, those look-ups would cost every batch their start. */
const NAMED_CONTACT = `named_contact(x.workspace_id, x.contact_id, x.user_id, ${RECIPIENT.scope}, x.phone, x.phone_key)`;
export const KNOWN_RECIPIENT = contactOf(NAMED_CONTACT);
/** The recipient, of whom `CONTACT_OF_PHONE` is not. */
export const CONTACT_OF_NAME = contactWhere(`c.id = ${NAMED_CONTACT}`);

export const FACTS = factsOf(KNOWN_RECIPIENT);

/** Of rows that name a person who may be a stranger, by number or user id: there all of them are looked up. */
export const FACTS_OF_STRANGER = factsOf(
  contactOf(
    `coalesce(${contactByPhone(RECIPIENT)}, ${contactByUserId(RECIPIENT)}, ${contactWithoutIdentifiers(RECIPIENT)})`,
  ),
);

export const CONVERSATION = joined("v");

export const SENDER_FITS = `(${statusCanSend("n.status")} and a.status = 'connected')`;
/** Of the template that is sent, or that is the fallback. */
export const TEMPLATE_FITS = "(x.template_id is null or (t.status = 'approved' and t.revision = x.template_revision))";
export const QUOTE_FITS = "(x.reply_to is null or x.id = any(rows_with_quote))";

/** boolean: whether a media that it names is gone. */
export const LACKS_MEDIA = lacksMedia("x.workspace_id", "x.media");

const REACH: Reach = {
  workspace: "x.workspace_id",
  phones: ["x.phone", "c.phone", "c.wa_id"],
  given: ["substr(x.phone, 2)", "coalesce(x.phone_loose, x.phone_key, substr(x.phone, 2))"],
};

const IS_MARKETING = "x.category = 'marketing'";
/** The recipient, or a contact that may be the same person, opted out of what the row is, or falls back to. */
export const IS_HELD_BACK = `(${IS_MARKETING} and ${optedOut("c", REACH)})`;

/**
 * What may be sent to a person who is not known, or has not written. Whether a fallback is needed is decided when the message is
 * sent. `lastInboundAt` is the conversation's.
 */
export const fitsWindow = (lastInboundAt: string): string =>
  `(not (${needsWindow("x.type")}) or x.fallback is not null or not ${windowClosed(
    { lastInboundAt, now: "batch_now", contact: "c", phoneNumber: "x.phone_number_id" },
    REACH,
  )})`;

/**
 * boolean: whether another responder owns the conversation. What goes later is asked then, and a fallback that is needed now is a
 * template, which goes anyway.
 */
const IS_OTHERS_THREAD = `case when v.owner_role = 'other' and x.take is not true and ${needsWindow("x.type")}
        and (x.send_at is null or x.send_at <= batch_now)
        and (x.fallback is null or not ${isOutsideWindow("v.last_inbound_at", "batch_now")})
      then ${isOthers("v", "batch_now")} else false end`;

const HAS_NO_NUMBER = "c.phone is null and c.wa_id is null";
/** No number is known, and no user id that is valid in the sender's portfolio: ids of another one mean nothing there. */
export const IS_OUT_OF_REACH = `(${HAS_NO_NUMBER}
      and is_out_of_reach(x.workspace_id, c.id, x.user_id, ${RECIPIENT.scope}, x.phone_number_id))`;

/**
 * uuid: as whom the recipient counts in the sender's portfolio, null inside the window. Mostly the request names them by the number
 * of their contact; a stranger has no other name.
 */
export const COUNTED_AS = `case when ${isOutsideWindow("v.last_inbound_at", "batch_now")} then ${recipientOf(`
      case when coalesce(c.phone, x.phone) = x.phone then coalesce(x.phone_key, substr(x.phone, 2))
        when c.id is null then x.user_id
        else counted_person(x.workspace_id, c.id, x.phone_number_id) end`)} end`;

/** boolean: whether the recipient would count as a new person. */
export const IS_NEW_PERSON = `case when x.portfolio is null then false else (
      select who.id is not null and coalesce(counted_minute(x.portfolio, who.id) < ${oldestMinute("batch_now")}, true)
      from (select ${COUNTED_AS} as id) who) end`;

/** What refuses a message, in the order in which accepting gives one of them: what the caller's caches said may be old. */
export const RULES = [
  ["sender_unavailable", `not coalesce(${SENDER_FITS}, false)`],
  ["template_not_found", "x.template_id is not null and t.revision is null"],
  ["stale_template", "x.template_id is not null and t.revision <> x.template_revision"],
  ["template_not_approved", "x.template_id is not null and t.status <> 'approved'"],
  ["reference_not_found", "c.id is null and x.contact_id is not null"],
  ["recipient_opted_out", IS_HELD_BACK],
  ["out_of_reach", IS_OUT_OF_REACH],
  ["window_closed", `not ${fitsWindow("v.last_inbound_at")}`],
  ["thread_not_owned", IS_OTHERS_THREAD],
  ["reference_not_found_reply_to", `not ${QUOTE_FITS}`],
  ["media_not_found", LACKS_MEDIA],
] as const;
export type Rule = (typeof RULES)[number][0];

/**
 * The rules for a row that is read step by step (alone.sql.ts): with which of its facts each is asked, and what is true of every row
 * that breaks it. Where that is true of others too, they are decided with the rules themselves.
 */
export const MAY_BREAK: Readonly<Record<Rule, { once: "c" | "n" | "t" | "v"; given?: string; when?: string }>> = {
  reference_not_found: { once: "c", when: "c.id is null" },
  out_of_reach: { once: "c", when: HAS_NO_NUMBER },
  recipient_opted_out: { once: "c", given: IS_MARKETING },
  sender_unavailable: { once: "n" },
  template_not_found: { once: "t" },
  stale_template: { once: "t" },
  template_not_approved: { once: "t" },
  window_closed: {
    once: "v",
    given: `${needsWindow("x.type")} and x.fallback is null`,
    when: isOutsideWindow("v.last_inbound_at", "batch_now"),
  },
  thread_not_owned: { once: "v", when: "v.owner_role = 'other'" },
  reference_not_found_reply_to: { once: "v", when: "x.reply_to is not null" },
  media_not_found: { once: "n", when: "x.media is not null" },
};

/** An outcome of `accept_messages`, `stored` or `fresh`. */
export const VERDICT = `case
      when m.sequence is not null then 'stored'
      when k.fingerprint <> decode(x.fingerprint, 'hex') then 'reused'
      when k.created_at <= batch_now - ${sqlInterval(ANSWER_KEPT_MS)} then 'expired_key'
      when k.resource_id is not null then 'replay'
      ${RULES.map(([outcome, isBroken]) => `when ${isBroken} then '${outcome}'`).join("\n      ")}
      when x.id = any(beyond) then 'messaging_limit_reached'
      when c.id is null then 'stranger'
      else 'fresh'
    end`;

/** text[]: all rules that a message breaks. */
export const BROKEN_RULES = `array_remove(array[
      ${RULES.map(([outcome, isBroken]) => `case when ${isBroken} then '${outcome}' end`).join(",\n      ")}], null)`;
