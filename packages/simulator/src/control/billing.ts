import { billOf, monthOf } from "../sending/pricing.ts";
import { accountBy, numberBy } from "../simulation/objects.ts";
import type { Simulation } from "../simulation/simulation.ts";
import { ControlError } from "../world/control-error.ts";
import { type AccountChange, changeAccount } from "../world/world.ts";
import { Files } from "./files.ts";

/** A month of a number: what was delivered of the free thousand, and everything by price. */
export type Bill = ReturnType<typeof billOf>[number];

/** What a test may do to prices and their months. */
export class Billing extends Files {
  readonly #sim: Simulation;

  constructor(sim: Simulation) {
    super(sim);
    this.#sim = sim;
  }

  /** Changes the time zone that an account is billed in, whether it has a means of payment, and whether it is exempt. */
  setAccount(wabaId: string, change: AccountChange): void {
    changeAccount(accountBy(this.#sim, wabaId), change);
  }

  /** Other partners have had so many service messages of the number delivered in the running month. */
  setServiceUse(phoneNumberId: string, others: number): void {
    const number = numberBy(this.#sim, phoneNumberId);
    number.bill.setOthers(monthOf(number.account, this.#sim.clock.nowMs()), others);
  }

  /** Sets the simulator's clock, from which it runs on; null: to the machine's again. Delays pass as before. */
  setClock(now: string | null): { now: string } {
    const ms = now === null ? null : Date.parse(now);
    if (ms !== null && Number.isNaN(ms))
      throw new ControlError(400, `${now} is not a time such as 2026-11-30T23:59:00Z`);
    this.#sim.clock.set(ms);
    return { now: new Date(this.#sim.clock.nowMs()).toISOString() };
  }

  /** The bills of a number, or of all, by months: each message once, in the month in which it was delivered. */
  bills(filter: { phone_number_id?: string; month?: string } = {}): Bill[] {
    const { phone_number_id: id, month } = filter;
    const numbers = id === undefined ? [...this.#sim.world.phoneNumbers.values()] : [numberBy(this.#sim, id)];
    return numbers.flatMap((number) => billOf(number)).filter((bill) => month === undefined || bill.month === month);
  }
}
