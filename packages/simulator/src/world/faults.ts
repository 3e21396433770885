import type { Behaviour } from "./behaviour.ts";
import { isUserId } from "./user-ids.ts";

/**
 * A behaviour for the next `count` sends (default 1; `null`: until cleared), optionally of one number or one recipient. With an
 * `operation` (`create_template` …, or `management`: any) it is for management calls instead, optionally about one account.
 */
export type FaultInput = Behaviour & {
  count?: number | null;
  operation?: string;
  waba_id?: string;
  phone_number_id?: string;
  recipient?: string;
};

export type Fault = {
  id: string;
  behaviour: Behaviour;
  left: number | null;
  /** Null: it is for sends. */
  operation: string | null;
  waba_id: string | null;
  phone_number_id: string | null;
  recipient: string | null;
};

/** Faults in order of injection; the first that fits a send is used up by it. */
export class Faults {
  #faults: Fault[] = [];
  #made = 0;

  add(input: FaultInput): Fault {
    const { count, operation, waba_id, phone_number_id, recipient, ...behaviour } = input;
    this.#made += 1;
    const fault: Fault = {
      id: `fault-${this.#made}`,
      behaviour,
      left: count === undefined ? 1 : count,
      operation: operation ?? null,
      waba_id: waba_id ?? null,
      phone_number_id: phone_number_id ?? null,
      recipient: recipient === undefined || isUserId(recipient) ? (recipient ?? null) : recipient.replace(/\D/g, ""),
    };
    this.#faults.push(fault);
    return fault;
  }

  /** `isMeant` says whether a fault's recipient, digits or a user id, is the one of the send. */
  take(phoneNumberId: string, isMeant: (recipient: string) => boolean): Behaviour | undefined {
    return this.#use(
      (one) =>
        one.operation === null &&
        (one.phone_number_id === null || one.phone_number_id === phoneNumberId) &&
        (one.recipient === null || isMeant(one.recipient)),
    );
  }

  /** The behaviour of a management call about this account, if one of those that `fits` is to be used up by it. */
  takeManagement(
    { operation, accountId }: { operation: string; accountId: string | undefined },
    fits: (behaviour: Behaviour) => boolean,
  ): Behaviour | undefined {
    return this.#use(
      (one) =>
        (one.operation === operation || one.operation === "management") &&
        (one.waba_id === null || one.waba_id === accountId) &&
        fits(one.behaviour),
    );
  }

  #use(isFor: (fault: Fault) => boolean): Behaviour | undefined {
    if (this.#faults.length === 0) return undefined;
    const fault = this.#faults.find(isFor);
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

  /** False: it is not there, or used up. */
  remove(id: string): boolean {
    const before = this.#faults.length;
    this.#faults = this.#faults.filter((one) => one.id !== id);
    return this.#faults.length < before;
  }

  clear(): void {
    this.#faults = [];
  }
}
