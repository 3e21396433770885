import type { Behaviour } from "./behaviour.ts";
import { isUserId } from "./user-ids.ts";

/** A behaviour for the next `count` sends (default 1; `null`: until cleared), optionally of one number or one recipient. */
export type FaultInput = Behaviour & {
  count?: number | null;
  phone_number_id?: string;
  recipient?: string;
};

export type Fault = {
  id: string;
  behaviour: Behaviour;
  left: number | null;
  phone_number_id: string | null;
  recipient: string | null;
};

/** Faults in order of injection; the first that fits a send is used up by it. */
export class Faults {
  #faults: Fault[] = [];
  #made = 0;

  add(input: FaultInput): Fault {
    const { count, phone_number_id, recipient, ...behaviour } = input;
    this.#made += 1;
    const fault: Fault = {
      id: `fault-${this.#made}`,
      behaviour,
      left: count === undefined ? 1 : count,
      phone_number_id: phone_number_id ?? null,
      recipient: recipient === undefined || isUserId(recipient) ? (recipient ?? null) : recipient.replace(/\D/g, ""),
    };
    this.#faults.push(fault);
    return fault;
  }

  /** `isMeant` says whether a fault's recipient, digits or a user id, is the one of the send. */
  take(phoneNumberId: string, isMeant: (recipient: string) => boolean): Behaviour | undefined {
    if (this.#faults.length === 0) return undefined;
    const fault = this.#faults.find(
      (one) =>
        (one.phone_number_id === null || one.phone_number_id === phoneNumberId) &&
        (one.recipient === null || isMeant(one.recipient)),
    );
    if (fault === undefined) return undefined;
    if (fault.left !== null) {
      fault.left -= 1;
      if (fault.left <= 0) this.#faults = this.#faults.filter((one) => one !== fault);
    }
    return fault.behaviour;
  }

  list(): readonly Fault[] {
    return this.#faults;
  }

  clear(): void {
    this.#faults = [];
  }
}
