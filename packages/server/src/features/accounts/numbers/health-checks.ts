import { isoTime } from "../../../lib/iso-time.ts";
import type { CallResult, ProviderAccount, ProviderError, ProviderPhoneNumber } from "../../../provider/provider.ts";
import type { Headroom } from "../../limits/headroom.ts";
import { reasonOf } from "../account-failures.ts";
import type { AccountRow } from "../store.ts";
import type { SeenRow } from "./health.store.ts";
import type { Check, CheckName } from "./health-schema.ts";
import type { NumberRow } from "./number.store.ts";
import { canSend } from "./number-status.sql.ts";

/** What the provider answered, all asked at `askedAt` (milliseconds). */
export type Asked = {
  askedAt: number;
  account: CallResult<ProviderAccount>;
  numbers: CallResult<ProviderPhoneNumber[]>;
  apps: CallResult<string[]>;
};

/** `asked`: null where the account has no token to ask with. */
export type Facts = {
  number: NumberRow;
  account: AccountRow;
  asked: Asked | null;
  /** The gateway's app at the provider; null: not set. */
  appId: string | null;
  seen: SeenRow;
  headroom: Headroom | undefined;
  now: number;
};

type Finding = Pick<Check, "ok" | "detail"> & { remedy?: string };

/** What is known of a number, check by check. */
export function checksOf(facts: Facts): Check[] {
  const { now, asked } = facts;
  const byUs = now;
  const byProvider = asked?.askedAt ?? now;
  const checks: [CheckName, Finding, number][] = [
    ["token", tokenOf(facts), byProvider],
    ["access", accessOf(facts), byProvider],
    ["subscribed", subscribedOf(facts), byProvider],
    ["callback_seen", seenOf(facts), byUs],
    ["registered", registeredOf(facts), byProvider],
    ["quality", qualityOf(facts), byProvider],
    ["throughput", throughputOf(facts), byProvider],
    ["limit", limitOf(facts), byUs],
  ];
  return checks.map(([name, { ok, detail, remedy = null }, at]) => ({
    name,
    ok,
    detail,
    remedy,
    checked_at: isoTime(at),
  }));
}

const CONNECT = "Connect the account again.";

/** An answer that says nothing: of the network, of the provider's own trouble, or of the quota of calls. */
const unknown = (error: ProviderError): Finding => ({
  ok: null,
  detail: `The provider could not be asked: ${reasonOf(error)}`,
  remedy: "Look again in a minute.",
});

/** It is about token or account, and no passing trouble. */
const isRefusal = ({ class: kind, provider }: ProviderError): boolean =>
  provider !== null && (kind === "token" || kind === "access" || kind === "asset" || kind === "locked");

const NO_TOKEN: Finding = { ok: false, detail: "The account is not connected.", remedy: CONNECT };

function tokenOf({ account, asked }: Facts): Finding {
  if (asked === null) return { ...NO_TOKEN, detail: account.status_reason ?? NO_TOKEN.detail };
  const answer = asked.account;
  if (answer.ok || (isRefusal(answer.error) && answer.error.class !== "token"))
    return { ok: true, detail: "The provider lets the account's token in." };
  return isRefusal(answer.error)
    ? { ok: false, detail: `The provider refuses the token: ${reasonOf(answer.error)}`, remedy: CONNECT }
    : unknown(answer.error);
}

function accessOf({ account, asked }: Facts): Finding {
  if (asked === null) return NO_TOKEN;
  if (!asked.account.ok)
    return isRefusal(asked.account.error)
      ? { ok: false, detail: `The provider refuses the account: ${reasonOf(asked.account.error)}`, remedy: CONNECT }
      : unknown(asked.account.error);
  const blocked = asked.account.value.blocked ?? (account.status === "restricted" ? account.status_reason : null);
  if (blocked === null) return { ok: true, detail: "The account may send." };
  return { ok: false, detail: blocked, remedy: "Open the account at the provider and follow what it asks for there." };
}

function subscribedOf({ asked, appId }: Facts): Finding {
  if (asked === null) return NO_TOKEN;
  if (!asked.apps.ok) return unknown(asked.apps.error);
  if (appId === null)
    return { ok: null, detail: "The gateway does not know its own app.", remedy: "The operator sets PROVIDER_APP_ID." };
  return asked.apps.value.includes(appId)
    ? { ok: true, detail: "The gateway's app gets the callbacks of the account." }
    : {
        ok: false,
        detail: "The gateway's app does not get the callbacks of the account: statuses and replies do not arrive.",
        remedy: `${CONNECT} That subscribes the app.`,
      };
}

/** So many accepted messages without any report are no accident. */
const MANY_UNREPORTED = 3;

function seenOf({ seen: { seen_at: at, unreported } }: Facts): Finding {
  const remedy =
    "Check at the provider that the app's callback URL is /webhooks/receive of this gateway, and that its fields are subscribed.";
  const last =
    at === null
      ? "No callback of this number is known."
      : `The last callback of this number came at ${isoTime(at.getTime())}.`;
  if (unreported >= (at === null ? 1 : MANY_UNREPORTED))
    return { ok: false, detail: `${last} Messages that the provider has accepted since have no report.`, remedy };
  if (at !== null) return { ok: true, detail: last };
  return { ok: null, detail: last, remedy: "Write to the number from a phone: the message is to arrive here." };
}

/** As the provider has it now, else as it was last read. */
function numberOf({ number, asked }: Facts): {
  status: string;
  quality: string;
  speed: number | null;
  isListed: boolean | null;
} {
  const kept = { status: number.status, quality: number.quality, speed: number.throughput_per_second };
  if (!asked?.numbers.ok) return { ...kept, isListed: null };
  const found = asked.numbers.value.find((one) => one.providerPhoneNumberId === number.provider_phone_number_id);
  if (found === undefined) return { ...kept, isListed: false };
  return {
    status: found.status,
    quality: found.quality,
    speed: found.throughputPerSecond ?? kept.speed,
    isListed: true,
  };
}

function registeredOf(facts: Facts): Finding {
  const { status, isListed } = numberOf(facts);
  if (isListed === false)
    return { ok: false, detail: "The account has no such number any more.", remedy: "Send from another number." };
  if (canSend(status)) return { ok: true, detail: `The number is ${status}.` };
  return {
    ok: false,
    detail: `The number is ${status}.`,
    remedy: "Run the signup of the account again: it registers the number.",
  };
}

function qualityOf(facts: Facts): Finding {
  const { quality } = numberOf(facts);
  const { marketing_stopped_until: stopped } = facts.number;
  if (stopped !== null && stopped.getTime() > facts.now)
    return {
      ok: false,
      detail: `The provider refuses this number's marketing as spam; it is tried again at ${isoTime(stopped.getTime())}.`,
      remedy: "Send marketing only to people who expect it.",
    };
  if (quality === "unknown") return { ok: null, detail: "The provider has not rated the number yet." };
  if (quality === "green") return { ok: true, detail: "The provider rates it green." };
  return {
    ok: false,
    detail: `The provider rates it ${quality}: people block or report its messages.`,
    remedy: "Send less marketing, to people who expect it, and let them opt out.",
  };
}

function throughputOf(facts: Facts): Finding {
  const { speed } = numberOf(facts);
  if (speed === null) return { ok: null, detail: "The provider did not say it." };
  return { ok: speed > 0, detail: `${speed} messages a second.` };
}

function limitOf({ headroom }: Facts): Finding {
  const { limit, unlimited, remaining, resets_at } = headroom ?? {
    limit: null,
    unlimited: false,
    remaining: null,
    resets_at: null,
  };
  if (remaining === 0)
    return {
      ok: false,
      detail: `The messaging limit is used up${resets_at === null ? "" : ` until ${resets_at}`}. Replies in open windows still leave.`,
      remedy: "Wait, or raise the limit at the provider by verifying the business.",
    };
  if (unlimited) return { ok: true, detail: "There is no messaging limit." };
  if (limit === null || remaining === null)
    return { ok: null, detail: "The provider has not said the messaging limit." };
  return { ok: true, detail: `Room for ${remaining} of ${limit} people in 24 hours.` };
}
