import { ControlError } from "../world/control-error.ts";
import type { Template } from "../world/template.ts";
import type { Account, PhoneNumber } from "../world/world.ts";
import type { Simulation } from "./simulation.ts";

// What a control call names; 404 where there is no such object.

export function accountBy(sim: Simulation, wabaId: string): Account {
  const account = sim.world.accounts.get(wabaId);
  if (account === undefined) throw new ControlError(404, `no account ${wabaId}`);
  return account;
}

export function numberBy(sim: Simulation, id: string): PhoneNumber {
  const number = sim.world.phoneNumbers.get(id);
  if (number === undefined) throw new ControlError(404, `no phone number ${id}`);
  return number;
}

export function templateBy(sim: Simulation, id: string): { account: Account; template: Template } {
  const found = sim.world.templates.get(id);
  if (found === undefined) throw new ControlError(404, `no template ${id}`);
  return found;
}

export function numbersIn(
  sim: Simulation,
  input: { phone_number_id: string; also_to?: readonly string[] },
): [PhoneNumber, ...PhoneNumber[]] {
  return [numberBy(sim, input.phone_number_id), ...(input.also_to ?? []).map((id) => numberBy(sim, id))];
}
