import { setTimeout as pause } from "node:timers/promises";
import { FailedError } from "../errors.ts";
import type { Scene } from "./scene.ts";

type Consent = "opted_out" | "opted_in";

/** The provider's times of settings are whole seconds, and one in the same second as another may be no news. */
const NEXT_SECOND_MS = 1_100;
const MOST_TRIES = 8;
const LOOK_EVERY_MS = 50;

/** Null where the person is no contact yet. */
export async function consentOf({ api, person }: Scene): Promise<string | null> {
  const [contact] = (await api.contacts.list({ phone: person })).data;
  return contact !== undefined && "marketing_consent" in contact ? contact.marketing_consent : null;
}

/** Has the setting reported, in the next second again unless the gateway shows it. */
export async function setMarketing(scene: Scene, consent: Consent): Promise<object> {
  const { simulator, numberId, person } = scene;
  const value = consent === "opted_out" ? "stop" : "resume";
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const answer = await simulator.put("marketing", { phone_number_id: numberId, person, value });
    const until = performance.now() + NEXT_SECOND_MS;
    while (performance.now() < until) {
      if ((await consentOf(scene)) === consent) return answer;
      await pause(LOOK_EVERY_MS);
    }
  }
  throw new FailedError(`the gateway does not show that the person has ${consent.replace("_", " ")}`);
}
