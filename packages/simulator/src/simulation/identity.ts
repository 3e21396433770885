import { ControlError } from "../world/control-error.ts";
import { digitsOf } from "../world/number-forms.ts";
import type { Identity, Person } from "../world/people.ts";
import { isUserId } from "../world/user-ids.ts";
import type { PhoneNumber } from "../world/world.ts";
import type { Simulation } from "./simulation.ts";

/** How long a business sees the number of a person with a username after writing to it (documentation of user ids). */
const DISCLOSED_MS = 30 * 24 * 3_600_000;

/**
 * Whether callbacks to this number leave the person's own out: people with a username are known by their user id alone, unless
 * the business wrote to their number within 30 days. A number set to hidden or not by control stays so.
 */
export function isNumberHidden(sim: Simulation, number: PhoneNumber, person: Person): boolean {
  if (person.waId === null) return true;
  if (person.numberHidden !== null) return person.numberHidden;
  if (person.username === null) return false;
  const usedAt = number.chats.get(person)?.numberUsedAt ?? null;
  return usedAt === null || sim.clock.nowMs() - usedAt > DISCLOSED_MS;
}

export function identityOf(sim: Simulation, number: PhoneNumber, person: Person): Identity {
  const { waId, parentUserId } = person;
  return { waId, userId: sim.world.people.userIdOf(person, number.account.businessId), parentUserId };
}

/** The entry of `contacts[]` in callbacks. */
export function contactOf(person: Person, identity: Identity, hidden: boolean): Record<string, unknown> {
  const { name, username } = person;
  const { waId, userId, parentUserId } = identity;
  return {
    profile: username === null ? { name } : { name, username },
    ...(hidden || waId === null ? {} : { wa_id: waId }),
    user_id: userId,
    ...(parentUserId === null ? {} : { parent_user_id: parentUserId }),
  };
}

/** Who an inbound message is from; JSON leaves out what is undefined. */
export type Sender = { from?: string | undefined; from_user_id?: string; from_parent_user_id?: string };

export function senderOf({ waId, userId, parentUserId }: Identity, hidden: boolean): Sender {
  return {
    ...(hidden || waId === null ? {} : { from: waId }),
    from_user_id: userId,
    ...(parentUserId === null ? {} : { from_parent_user_id: parentUserId }),
  };
}

/** The person that a control call names, by any form of the number or by a user id of the number's portfolio. */
export function personIn(sim: Simulation, number: PhoneNumber, written: string): Person {
  if (!isUserId(written)) return sim.world.people.reach(digitsIn(written));
  const { businessId } = number.account;
  const use = sim.world.people.byUserId(businessId, written);
  if (use === undefined) return sim.world.people.adopt(businessId, written);
  if (use.state !== "live")
    throw new ControlError(400, `no person has the user id ${written} in portfolio ${businessId} (any more)`);
  return use.person;
}

export function digitsIn(written: string): string {
  const digits = digitsOf(written);
  if (digits === undefined) throw new ControlError(400, `${written} is neither a phone number nor a user id`);
  return digits;
}
