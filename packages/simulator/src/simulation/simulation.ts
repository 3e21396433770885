import type { Courier } from "../callbacks/courier.ts";
import type { Destination, Metadata } from "../callbacks/queue.ts";
import type { BoundedLog } from "../lib/bounded-log.ts";
import type { Ids } from "../lib/ids.ts";
import { type Random, seededRandom } from "../lib/random.ts";
import type { Clock, SettableClock } from "../lib/settable-clock.ts";
import type { TimerWheel } from "../lib/timer-wheel.ts";
import type { Charge } from "../world/charge.ts";
import type { Faults } from "../world/faults.ts";
import type { ManagementCalls } from "../world/management-calls.ts";
import type { MediaStore } from "../world/media.ts";
import type { InboundEntry } from "../world/received.ts";
import type { DueStatus, SentEntry } from "../world/sent.ts";
import type { Delays, Settings } from "../world/settings.ts";
import type { Signups } from "../world/signup-grants.ts";
import type { Uploads } from "../world/uploads.ts";
import type { Account, PhoneNumber, World } from "../world/world.ts";
import type { News } from "./news.ts";

/** Our own place in the provider's world: the app, and the partner's business that owns it. */
export type App = { id: string; name: string; secret: string; verifyToken: string; partnerBusinessId: string };

/** Sources of what the settings leave to chance, each seeded by one of them; null: it is not left to chance. */
export type Draws = { shuffle: Random | null; optionalFields: Random | null };

/** Everything one simulator holds; functions of the other files take it first. */
export type Simulation = {
  app: App;
  /** `http://host:port`, where it listens. */
  origin: string;
  clock: SettableClock;
  random: Random;
  ids: Ids;
  world: World;
  signups: Signups;
  faults: Faults;
  uploads: Uploads;
  management: ManagementCalls;
  wheel: TimerWheel<DueStatus>;
  courier: Courier;
  sent: BoundedLog<SentEntry>;
  /** What decides the price of what was sent, for reports by control. */
  charges: WeakMap<SentEntry, Charge>;
  inbound: BoundedLog<InboundEntry>;
  news: News;
  media: MediaStore;
  delays: Delays;
  settings: Settings;
  draws: Draws;
  counts: { requests: number; accepted: number; refused: Record<string, number>; statuses: number };
  /** Timers of reviews and held answers, to be cleared with everything else. */
  timers: Set<NodeJS.Timeout>;
  /** Runs after each request, for those who wait for one. */
  onRequest: Set<() => void>;
};

export const LOGGED_SENDS = 200_000;
/** Bodies are kept of the newest only: a fiftieth of the entries, but most of the bytes. */
export const LOGGED_REQUESTS = 20_000;
export const LOGGED_INBOUND = 1000;

export function drawsOf({ shuffleSeed, optionalFieldsSeed }: Settings): Draws {
  const seeded = (seed: number | null) => (seed === null ? null : seededRandom(seed));
  return { shuffle: seeded(shuffleSeed), optionalFields: seeded(optionalFieldsSeed) };
}

/** Whether an optional field is there: as usual, or by chance. */
export function hasOptional(sim: Simulation, usually: boolean): boolean {
  const { optionalFields } = sim.draws;
  return optionalFields === null ? usually : optionalFields() < 0.5;
}

/** Unix seconds as the text that `messages` and `statuses` carry. */
export function timestampOf(clock: Clock): string {
  return String(Math.floor(clock.nowMs() / 1000));
}

/** Of a number, as callbacks name it. Where the id of its WhatsApp account will stand is not documented yet. */
export function metadataOf({ id, digits, waacId }: PhoneNumber): Metadata {
  return { display_phone_number: digits, phone_number_id: id, ...(waacId === null ? {} : { waac_id: waacId }) };
}

/** What every value about a number has. */
export const numberValue = (number: PhoneNumber) => ({ messaging_product: "whatsapp", metadata: metadataOf(number) });

/** Message callbacks follow the account's own URL, everything else goes to the app's (provider reference 3.9). */
export function messagesDestination(account: Account): Destination {
  return { entryId: account.id, override: account.callbackOverride };
}

/** A timer that a reset or a stop clears. */
export function later(sim: Simulation, delayMs: number, run: () => void): void {
  const timer = setTimeout(() => {
    sim.timers.delete(timer);
    run();
  }, delayMs);
  sim.timers.add(timer);
}
