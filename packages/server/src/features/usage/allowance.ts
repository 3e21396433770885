import { type Static, Type } from "typebox";
import type { Sql } from "../../db/database.ts";
import { nullable } from "../../http/schema-types.ts";
import { timestampOutput } from "../../http/timestamps.ts";
import { isoTime } from "../../lib/iso-time.ts";
import { monthOf } from "../../lib/time-zone.ts";
import { selectServiceUse } from "./service.store.ts";

/** Service messages that the provider delivers for each number in a calendar month before it charges for them. */
const INCLUDED = 1_000;

export const ServiceAllowance = Type.Object(
  {
    included: Type.Integer({
      description: "Service messages that the provider delivers free of charge in a calendar month.",
    }),
    used: nullable(
      Type.Integer(),
      "Service messages of this phone number that were delivered in the running month, as far as this gateway sent them; may be more than `included`. Reactions do not count, nor do messages that are free for another reason: an entry point such as an advertisement, or an exempt organisation. At most a minute late. Null in events.",
    ),
    remaining: nullable(
      Type.Integer(),
      "How many are left at most: other partners that send from the same phone number use the same allowance, which cannot be seen from here. Null in events.",
    ),
    resets_at: nullable(
      timestampOutput(),
      "When the next month begins, in the time zone of the business account, or in UTC while that is not known. Null in events.",
    ),
  },
  {
    $id: "ServiceAllowance",
    description: "What the provider delivers free of charge of messages that are no templates.",
  },
);
export type ServiceAllowance = Static<typeof ServiceAllowance>;

/** For events: how much is used changes with every message, and belongs to none. */
export const UNCOUNTED_ALLOWANCE: ServiceAllowance = {
  included: INCLUDED,
  used: null,
  remaining: null,
  resets_at: null,
};

/** The allowances of numbers by their ids, in the running transaction. `timeZone` is that of the account they belong to now. */
export async function serviceAllowances(
  sql: Sql,
  workspaceId: string,
  numbers: readonly { id: string; timeZone: string | null }[],
  now: number,
): Promise<Map<string, ServiceAllowance>> {
  const months = numbers.map(({ id, timeZone }) => ({ id, ...monthOf(now, timeZone) }));
  const spans = months.map(({ id, start, end }) => ({
    phone_number_id: id,
    first: new Date(start),
    last: new Date(end),
  }));
  const rows = numbers.length === 0 ? [] : await selectServiceUse(sql, workspaceId, spans);
  const used = new Map(rows.map((row) => [row.phone_number_id, row.count]));
  return new Map(months.map(({ id, end }) => [id, allowanceOf(used.get(id) ?? 0, end)]));
}

const allowanceOf = (used: number, end: number): ServiceAllowance => ({
  included: INCLUDED,
  used,
  remaining: Math.max(0, INCLUDED - used),
  resets_at: isoTime(end),
});
