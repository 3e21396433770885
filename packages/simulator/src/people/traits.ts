import { digitsIn } from "../simulation/identity.ts";
import type { Simulation } from "../simulation/simulation.ts";
import { ControlError } from "../world/control-error.ts";
import type { Person } from "../world/people.ts";
import { isUserId } from "../world/user-ids.ts";

/**
 * What is to be different about a person, who is named by any form of the number or by a user id. `wa_id` is the form that
 * messages are routed by, `forms` are more numbers that lead to the person. `landline`: the account is on exactly the number
 * given, apart from the mobile whose number differs by a mark. `username` null: none. `number_hidden` null: as the provider
 * decides. `on_whatsapp` false: sends fail with 131026.
 */
export type PersonInput = {
  person: string;
  wa_id?: string;
  forms?: readonly string[];
  landline?: true;
  name?: string;
  username?: string | null;
  number_hidden?: boolean | null;
  parent_user_id?: boolean;
  on_whatsapp?: boolean;
};

/** A person as all businesses together would see them; `user_ids` by portfolio. */
export type PersonState = {
  wa_id: string | null;
  name: string;
  username: string | null;
  number_hidden: boolean | null;
  on_whatsapp: boolean;
  parent_user_id: string | null;
  user_ids: Record<string, string>;
};

export function setTraits(sim: Simulation, input: PersonInput): PersonState {
  const { people } = sim.world;
  const person = input.landline === true ? people.landline(digitsIn(input.person)) : personNamed(sim, input.person);
  person.kept = true;
  if (input.wa_id !== undefined) {
    person.waId = digitsIn(input.wa_id);
    people.addForm(person, person.waId);
  }
  for (const form of input.forms ?? []) people.addForm(person, digitsIn(form));
  if (input.name !== undefined) person.name = input.name;
  if (input.username !== undefined) person.username = input.username;
  if (input.number_hidden !== undefined) person.numberHidden = input.number_hidden;
  if (input.parent_user_id !== undefined) people.setParent(person, input.parent_user_id);
  if (input.on_whatsapp !== undefined) person.onWhatsApp = input.on_whatsapp;
  return stateOf(sim, person);
}

export function personState(sim: Simulation, written: string): PersonState {
  return stateOf(sim, personNamed(sim, written));
}

function personNamed(sim: Simulation, written: string): Person {
  if (!isUserId(written)) return sim.world.people.reach(digitsIn(written));
  const person = sim.world.people.byLiveUserId(written);
  if (person === undefined) throw new ControlError(404, `no person has the user id ${written}`);
  return person;
}

function stateOf(sim: Simulation, person: Person): PersonState {
  const portfolios = new Set([...sim.world.accounts.values()].map((account) => account.businessId));
  return {
    wa_id: person.waId,
    name: person.name,
    username: person.username,
    number_hidden: person.numberHidden,
    on_whatsapp: person.onWhatsApp,
    parent_user_id: person.parentUserId,
    user_ids: Object.fromEntries([...portfolios].map((id) => [id, sim.world.people.userIdOf(person, id)])),
  };
}
