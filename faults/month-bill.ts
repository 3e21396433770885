import type { Bill } from "@waypost/simulator";
import type { Process } from "./lab.ts";

/** Service messages that are free in a month. */
export const SERVICE_FREE = 1_000;

/** A number of a workspace of its own, and of an account that is billed in a time zone. */
export type BilledNumber = {
  key: string;
  id: string;
  providerId: string;
  wabaId: string;
  timeZone: string;
  /** The running month, as bills name it. */
  month(): string;
};

/** `2026-11`: the month in a time zone. */
export function monthIn(timeZone: string, at: number): string {
  const text = new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit" }).format(at);
  return text.slice(0, "2026-11".length);
}

const QUARTER_MS = 15 * 60_000;
const LONGEST_MONTH_MS = 32 * 86_400_000;

/** When the month of a moment began in a time zone. */
export function monthStart(timeZone: string, at: number): number {
  const name = monthIn(timeZone, at);
  let start = Math.floor(at / QUARTER_MS) * QUARTER_MS;
  for (const least = at - LONGEST_MONTH_MS; start > least && monthIn(timeZone, start - QUARTER_MS) === name; )
    start -= QUARTER_MS;
  return start;
}

type UsageLine = { status: string; category: string | null; count: number; billable: number };

/** What usage has counted as delivered from the number: messages and charged ones of each category. */
export async function usageOf(process: Process, { key, id }: BilledNumber): Promise<Map<string, number[]>> {
  const { body } = await process.call(key, "GET", `/v1/usage?phone_number_id=${id}`);
  const lines = (body.data as UsageLine[]).filter(({ status }) => status === "delivered" || status === "read");
  const sums = new Map<string, number[]>();
  for (const { category, count, billable } of lines) add(sums, category ?? "", [count, billable]);
  return sums;
}

/** How far usage is from the provider's bills, in messages and charged messages of all categories. */
export function diffOf(usage: ReadonlyMap<string, number[]>, bills: readonly Bill[]): number {
  const billed = new Map<string, number[]>();
  for (const { category, type, subtype, count } of bills.flatMap((bill) => bill.charges))
    add(billed, category, [count, type === "regular" && subtype === undefined ? count : 0]);
  return [...new Set([...usage.keys(), ...billed.keys()])].reduce((sum, category) => {
    const [ours = [0, 0], theirs = [0, 0]] = [usage.get(category), billed.get(category)];
    return sum + ours.reduce((apart, count, index) => apart + Math.abs(count - (theirs[index] ?? 0)), 0);
  }, 0);
}

function add(sums: Map<string, number[]>, category: string, counts: readonly number[]): void {
  const before = sums.get(category) ?? counts.map(() => 0);
  sums.set(
    category,
    before.map((count, index) => count + (counts[index] ?? 0)),
  );
}
