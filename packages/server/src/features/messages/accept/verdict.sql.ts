import { lookUp, sqlInterval } from "../../../db/hot-function.ts";
import { ANSWER_KEPT_MS, KEY_KEPT_MS } from "../../../http/idempotency.ts";
import { windowClosed } from "../message.sql.ts";

// What `accept_messages` decides by. Expressions are of its row `x` and of the look-ups below, beside the function's variables
// `batch_now` and `rows_with_quote`, and in the verdict of `m`, the row of a message that an earlier call has stored.

const CONTACT = [
  "c.phone = x.phone and x.phone is not null",
  "c.id = x.contact_id and x.contact_id is not null",
  "c.user_id = x.user_id and x.user_id is not null",
]
  .map(
    (named) => `
      select c.id, c.phone, c.marketing_consent from contact c
      where c.workspace_id = x.workspace_id and ${named}`,
  )
  .join("\n      union all ");

/** A row of the workspace, by the rest of its key. */
const fact = (alias: string, columns: string, table: string, where: string): string =>
  lookUp(alias, `select ${columns} from ${table} ${alias} where ${alias}.workspace_id = x.workspace_id and ${where}`);

const KEY = `k.digest = decode(x.key, 'hex') and k.created_at >= batch_now - ${sqlInterval(KEY_KEPT_MS)}`;

/** What decides, but for the window. The same look-ups serve two passes, so that a refused row makes no contact either. */
export const FACTS = [
  fact("k", "k.resource_id, k.fingerprint, k.created_at", "idempotency_key", KEY),
  fact("n", "n.lane, n.status, n.business_account_id", "phone_number", "n.id = x.phone_number_id"),
  fact("a", "a.status", "business_account", "a.id = n.business_account_id"),
  lookUp("c", CONTACT),
  fact("t", "t.status, t.revision", "template", "t.id = x.template_id"),
].join("\n  ");

export const CONVERSATION = fact(
  "v",
  "v.last_inbound_at, v.last_message_at",
  "conversation",
  "v.contact_id = c.id and v.phone_number_id = x.phone_number_id",
);

export const SENDER_FITS = "(n.status = 'connected' and a.status = 'connected')";
export const TEMPLATE_FITS = "(x.template_id is null or (t.status = 'approved' and t.revision = x.template_revision))";
export const QUOTE_FITS = "(x.reply_to is null or x.id = any(rows_with_quote))";

/** An outcome of `accept_messages`, `stored` or `fresh`. The rules again: what the caller's caches said may be old. */
export const VERDICT = `case
      when m.sequence is not null then 'stored'
      when k.fingerprint <> decode(x.fingerprint, 'hex') then 'reused'
      when k.created_at <= batch_now - ${sqlInterval(ANSWER_KEPT_MS)} then 'expired_key'
      when k.resource_id is not null then 'replay'
      when not coalesce(${SENDER_FITS}, false) then 'sender_unavailable'
      when x.template_id is not null and t.revision is null then 'template_not_found'
      when x.template_id is not null and t.revision <> x.template_revision then 'stale_template'
      when x.template_id is not null and t.status <> 'approved' then 'template_not_approved'
      when c.id is null and x.contact_id is not null then 'reference_not_found'
      when x.category = 'marketing' and c.marketing_consent = 'opted_out' then 'recipient_opted_out'
      when x.type <> 'template' and ${windowClosed("v.last_inbound_at", "batch_now")} then 'window_closed'
      when not ${QUOTE_FITS} then 'reference_not_found_reply_to'
      when c.id is null and x.type = 'template' then 'stranger'
      when c.id is null then 'window_closed'
      else 'fresh'
    end`;
