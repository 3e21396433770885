import type { App, TxCtx } from "../../ctx.ts";
import { ALL_SLOTS } from "../../lanes/lane-kinds.ts";
import { DAY_MS } from "../../lib/duration.ts";
import { formatId, timeOfUuid } from "../../lib/ids.ts";
import type { CallbackChange } from "../../provider/provider.ts";
import { emit } from "../events/event.ts";
import { hintTasks } from "../tasks/task.ts";
import { enqueueCheck } from "./account-failures.ts";
import { ACCOUNT_EVENTS } from "./events.ts";
import { insertEarliestNoticeRow, insertNoticeRow, selectNamedNumberId } from "./notice.store.ts";
import { noticeDigest } from "./notice-digest.ts";
import { notePause } from "./numbers/pause.store.ts";
import { passOn } from "./provider-notice.ts";
import { disconnectIn } from "./routing.store.ts";
import { lockSecretAccountRow, type SecretAccountRow, selectAccountRow } from "./store.ts";

type Owner = { workspaceId: string; businessAccountId: string };
type Notice = Extract<CallbackChange, { kind: "notice" }>;
type Tx = Pick<TxCtx, "sql" | "workspaceId" | "now">;

/** Clocks of the provider and of this machine differ by less. */
const CLOCKS_DIFFER_MS = 60_000;
/** The provider's times are whole seconds. */
const SECOND_MS = 1_000;
/** The year 2100; a later time is none of seconds. */
const LAST_SECOND = 4_102_444_800;
/** The provider repeats a callback for seven days: a time that is older than this says nothing of when it was first sent. */
const LONGEST_DELAY_MS = 8 * DAY_MS;

/**
 * Takes what a callback says of an account or a number of it, in one transaction; safe to repeat. The callback may have come long ago:
 * it waits until a workspace connects the account.
 */
export async function takeNotice(
  app: App,
  { workspaceId, businessAccountId }: Owner,
  notice: Notice,
  callbackId: string,
): Promise<void> {
  const now = app.clock.now();
  const receivedAt = timeOfUuid(callbackId);
  const isWork = await app.db.transaction(workspaceId, async (sql) => {
    const { event, providerAccountId, providerPhoneNumberId, at, value } = notice;
    const digest = noticeDigest([event, providerAccountId, providerPhoneNumberId, at, value]);
    const row = { digest, at: at === null ? null : new Date(at), now: new Date(now) };
    const tier = tierChangeOf(notice);
    const isNew = tier
      ? await insertEarliestNoticeRow(sql, workspaceId, { ...tier, now: new Date(now) })
      : await insertNoticeRow(sql, workspaceId, row);
    const tx = { sql, workspaceId, now };
    await notePause(sql, workspaceId, {
      accountId: businessAccountId,
      event,
      at: at ?? receivedAt,
      ...namesOf(notice),
    });
    let asks = notice.asks;
    if (isNew && notice.meaning === "removed") asks = await remove(tx, businessAccountId, notice, receivedAt);
    else if (isNew && notice.meaning !== "silent") await announce(tx, businessAccountId, notice);
    // Also for what looks like a repetition: the provider's times are whole seconds, or missing, and asking again does no harm.
    if (asks) await enqueueCheck(sql, workspaceId, businessAccountId, now);
    const { reported } = notice;
    const isPassedOn =
      reported !== undefined && (await passOn(tx, { ...notice, reported, callbackId, accountId: businessAccountId }));
    return isNew || asks || isPassedOn;
  });
  if (!isWork) return;
  hintTasks(app.notifier, workspaceId);
  // All: it is only a hint, and a notice is rare.
  app.notifier.hint("deliver", ALL_SLOTS);
}

/**
 * A change of a tier of prices may be said several times, each with another time, of which the earliest counts: one event, and one more for
 * an earlier time that comes later.
 */
function tierChangeOf({ event, providerAccountId, value }: Notice): { digest: Buffer; at: Date } | null {
  const info = value["volume_tier_info"];
  if (event !== "VOLUME_BASED_PRICING_TIER_UPDATE" || typeof info !== "object" || info === null) return null;
  const { tier_update_time: time, ...change } = info as Record<string, unknown>; // an object of JSON
  const seconds = Number(time);
  if (!Number.isSafeInteger(seconds) || seconds <= 0 || seconds > LAST_SECOND) return null;
  return { digest: noticeDigest([event, providerAccountId, change]), at: new Date(seconds * SECOND_MS) };
}

async function announce(tx: Tx, accountId: string, notice: Notice): Promise<void> {
  const { sql, workspaceId } = tx;
  const account = await selectAccountRow(sql, workspaceId, accountId);
  if (!account) return;
  const { event, detail, value, meaning } = notice;
  const numberId = await selectNamedNumberId(sql, workspaceId, accountId, namesOf(notice));
  await emit(tx, ACCOUNT_EVENTS, {
    kind: meaning === "granted" ? "permissions_changed" : "account_changed",
    resource: accountId,
    businessAccount: accountId,
    state: {
      business_account: account,
      provider_event: event,
      detail,
      ...(detail === value ? {} : { is_reduced: true }),
      ...(numberId === null ? {} : { phone_number_id: formatId("num", numberId) }),
    },
    conversation: accountId,
  });
}

/** By what a notice may name a number (Cloud API documentation, webhooks: accounts): its id, or the number as people write it. */
function namesOf({ providerPhoneNumberId, value }: Notice): { providerIds: string[]; phones: string[] } {
  const entity = value["entity_type"] === "PHONE_NUMBER" ? value["entity_id"] : null;
  const texts = (all: unknown[]): string[] => all.flatMap((one) => (typeof one === "string" ? [one] : []));
  return {
    providerIds: texts([providerPhoneNumberId, typeof entity === "number" ? String(entity) : entity]),
    phones: texts([value["display_phone_number"], value["phone_number"]]).map((one) => `+${one.replace(/\D/g, "")}`),
  };
}

/**
 * Ends the connection, once, whichever of the provider's two events comes first. True when the provider must be asked instead:
 * what may be about an earlier connection does not end the present one.
 */
async function remove(
  { sql, workspaceId, now }: Tx,
  accountId: string,
  notice: Notice,
  receivedAt: number,
): Promise<boolean> {
  const account = await lockSecretAccountRow(sql, workspaceId, accountId);
  // One that is connecting may have been read before: it is read again when it is connected.
  if (account?.status === "connecting") return true;
  if (account?.status !== "connected" && account?.status !== "restricted") return false;
  if (isOfEarlierConnection(account, notice, receivedAt)) return true;
  const reason = reasonOfRemoval(notice);
  const { event, value: detail } = notice;
  const row = { workspace_id: workspaceId, id: accountId, reason, provider_event: event, with_event: true, detail };
  await disconnectIn(sql, row, now);
  return false;
}

function isOfEarlierConnection(
  { imported_at: importedAt, token_since: tokenSince }: SecretAccountRow,
  { at }: Notice,
  receivedAt: number,
): boolean {
  if (tokenSince === null || importedAt === null) return false;
  const since = tokenSince.getTime();
  if (receivedAt < since) return true;
  if (at === null || at < receivedAt - LONGEST_DELAY_MS) return false;
  // After an earlier connection here, the second event of its end may come at any time. A first one is doubted for good reason only.
  const isAgain = importedAt.getTime() < since;
  return at < since - (isAgain ? SECOND_MS : CLOCKS_DIFFER_MS);
}

const REASONS: ReadonlyMap<string, string> = new Map([
  ["PARTNER_APP_UNINSTALLED", "The app was removed from the account."],
  ["PARTNER_REMOVED", "The account is no longer shared with the app."],
]);

/** Public text: also the account's `status_reason`. */
function reasonOfRemoval({ event, value }: Notice): string {
  const meaning = REASONS.get(event) ?? "The provider has ended the access to the account.";
  const info = value["disconnection_info"];
  const said = typeof info === "object" && info !== null && "reason" in info ? info.reason : null;
  return typeof said === "string" && said !== "" ? `${meaning} The provider's reason: ${said}.` : meaning;
}
