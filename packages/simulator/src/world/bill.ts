import type { Charge, Pricing } from "./charge.ts";

/** Messages of one price. */
export type ChargeLine = { category: string; type: string; subtype?: string; count: number };

type MonthBill = { used: number; others: number; lines: Map<string, ChargeLine> };

/** Months of a number that are remembered. */
const MOST_MONTHS = 24;

/** What a number has been charged for, by months of its account's time zone: each message once, when it was delivered. */
export class NumberBill {
  readonly #months = new Map<string, MonthBill>();

  /** Service messages of the free thousand, those of other partners included. */
  allowanceUsed(month: string): number {
    const bill = this.#months.get(month);
    return bill === undefined ? 0 : bill.used + bill.others;
  }

  add(month: string, charge: Charge, { category, type, subtype }: Pricing): void {
    const bill = this.#monthBill(month);
    if (isServiceCounted(charge) && subtype === undefined) bill.used += 1;
    const key = `${category} ${type} ${subtype ?? ""}`;
    const line = bill.lines.get(key);
    if (line === undefined)
      bill.lines.set(key, { category, type, ...(subtype === undefined ? {} : { subtype }), count: 1 });
    else line.count += 1;
  }

  /** Other partners that send from the number have had so many service messages delivered in the month. */
  setOthers(month: string, count: number): void {
    this.#monthBill(month).others = count;
  }

  months(): { month: string; used: number; others: number; charges: ChargeLine[] }[] {
    return [...this.#months]
      .map(([month, { used, others, lines }]) => ({ month, used, others, charges: [...lines.values()] }))
      .toSorted((a, b) => (a.month < b.month ? -1 : 1));
  }

  #monthBill(month: string): MonthBill {
    let bill = this.#months.get(month);
    if (bill === undefined) {
      bill = { used: 0, others: 0, lines: new Map() };
      this.#months.set(month, bill);
      const [oldest] = [...this.#months.keys()].toSorted();
      if (this.#months.size > MOST_MONTHS && oldest !== undefined) this.#months.delete(oldest);
    }
    return bill;
  }
}

/** Whether a message is of the kind that uses up the free thousand. */
export const isServiceCounted = ({ category, isReaction, freeUntil }: Charge): boolean =>
  category === "service" && !isReaction && freeUntil === null;
