import { graphRefusal, refusal } from "../protocol/error.ts";
import type { Simulation } from "../simulation/simulation.ts";
import type { PhoneNumber } from "../world/world.ts";

/** Registrations and their opposite in this time, and how many the provider takes (133016). */
const REGISTRATIONS_MS = 72 * 3_600_000;
const MOST_REGISTRATIONS = 10;
const PIN = /^\d{6}$/;

/** Connects a number to the API. The first PIN becomes its two-step PIN, every later one must be the same (provider reference 8.8). */
export function registerNumber(sim: Simulation, number: PhoneNumber, pin: string | undefined): void {
  checkPin(pin);
  if (!number.verified) throw refusal(133006, "Phone number needs to be verified before registering.");
  countRegistration(sim, number);
  if (number.pin !== null && number.pin !== pin) throw refusal(133005, "Two step verification PIN mismatch.");
  number.pin = pin ?? null;
  number.status = "CONNECTED";
}

/** Takes a number from the API; it keeps its two-step PIN. */
export function deregisterNumber(sim: Simulation, number: PhoneNumber): void {
  requireRegistered(number);
  countRegistration(sim, number);
  number.status = "DISCONNECTED";
}

/** Sets the two-step PIN. */
export function setPin(number: PhoneNumber, pin: string | undefined): void {
  checkPin(pin);
  requireRegistered(number);
  number.pin = pin ?? null;
}

/** Asks for a verification code: the last six digits of the number, so that no message has to bring it. */
export function requestCode(number: PhoneNumber, method: string | undefined, language: string | undefined): void {
  if (method !== "SMS" && method !== "VOICE")
    throw graphRefusal(100, "(#100) Param code_method must be one of {SMS, VOICE}");
  if (language === undefined) throw graphRefusal(100, "(#100) The parameter language is required.");
  if (number.verified) throw refusal(136024, "The phone number is verified already.");
  number.codeRequested = true;
}

export function verifyCode(number: PhoneNumber, code: string | undefined): void {
  if (number.verified) throw refusal(136024, "The phone number is verified already.");
  if (!number.codeRequested || code?.replace(/\D/g, "") !== number.digits.slice(-6))
    throw refusal(135000, "The code is not the one that was sent.");
  number.codeRequested = false;
  number.verified = true;
  if (number.status === "UNVERIFIED") number.status = "PENDING";
}

/** Throws 133010 for a number that is not registered: it can do nothing. */
export function requireRegistered(number: PhoneNumber): void {
  if (UNREGISTERED.has(number.status)) throw refusal(133010, "The phone number is not registered.");
}

const UNREGISTERED: ReadonlySet<string> = new Set(["PENDING", "UNVERIFIED", "DISCONNECTED"]);

function checkPin(pin: string | undefined): void {
  if (!PIN.test(pin ?? "")) throw graphRefusal(100, "(#100) Param pin must be 6 digits");
}

function countRegistration(sim: Simulation, number: PhoneNumber): void {
  const now = sim.clock.nowMs();
  const recent = number.registrations.filter((at) => at > now - REGISTRATIONS_MS);
  if (recent.length >= MOST_REGISTRATIONS)
    throw refusal(133016, "Too many registrations and deregistrations of this number: it is blocked for 72 hours.");
  number.registrations = [...recent, now];
}
