import { type Random, shuffleToEnd } from "../lib/random.ts";
import type { Settings } from "../world/settings.ts";

/** Something to report about an account. Statuses of one number that wait together share one change. */
export type Update =
  | { field: "messages"; metadata: Metadata; status: Record<string, unknown>; contact: Record<string, unknown> | null }
  | { field: string; value: Record<string, unknown> };

export type Metadata = { display_phone_number: string; phone_number_id: string; waac_id?: string };

/** Where updates belong: `entryId` of the envelope, and the account's own callback URL when it has one. */
export type Destination = { entryId: string; override: string | null };

/** What one POST reports. `url` null: there is none to post it to. */
export type Batch = { url: string | null; entries: Record<string, unknown>[]; updates: number };

/** `second` is the `time` of the envelope's entry, which everything that is not about a number's messages has. */
type Lane = { destination: Destination; second: number | null; updates: Update[] };

type Manner = Pick<Settings, "accountsPerCallback" | "accountsMixed" | "updatesPerCallback">;

/** What waits to be posted, by account, in the order of arrival. */
export class CallbackQueue {
  readonly #lanes = new Map<string, Lane>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  add(destination: Destination, second: number | null, update: Update): void {
    const key = `${destination.entryId} ${second ?? ""} ${destination.override ?? ""}`;
    const lane = this.#lanes.get(key);
    if (lane === undefined) this.#lanes.set(key, { destination, second, updates: [update] });
    else lane.updates.push(update);
    this.#size += 1;
  }

  clear(): void {
    this.#lanes.clear();
    this.#size = 0;
  }

  /**
   * One account a POST, as the provider usually does. Only when more accounts wait than POSTs are `free` do they share. `appUrl`
   * is for those without an URL of their own; `random` shuffles.
   */
  take(free: number, appUrl: string | null, manner: Manner, random: Random | null): Batch | undefined {
    const most = manner.accountsPerCallback;
    const wanted = manner.accountsMixed === "always" ? most : Math.ceil(this.#lanes.size / free);
    const entries: Record<string, unknown>[] = [];
    let updates = 0;
    let url: string | null | undefined;
    const unfinished: [string, Lane][] = [];
    for (const [key, lane] of this.#inOrder(random)) {
      const laneUrl = lane.destination.override ?? appUrl;
      if (url !== undefined && laneUrl !== url) continue;
      url = laneUrl;
      this.#lanes.delete(key);
      const taken = takenFrom(lane, manner.updatesPerCallback, random);
      if (taken !== lane.updates) unfinished.push([key, lane]);
      this.#size -= taken.length;
      updates += taken.length;
      if (laneUrl !== null) entries.push(entryOf(lane, taken));
      if (entries.length >= Math.min(most, Math.max(1, wanted))) break;
    }
    // What did not fit goes to the back, behind the other accounts.
    for (const [key, lane] of unfinished) this.#lanes.set(key, lane);
    return url === undefined ? undefined : { url, entries, updates };
  }

  #inOrder(random: Random | null): Iterable<[string, Lane]> {
    if (random === null) return this.#lanes;
    const lanes = [...this.#lanes];
    shuffleToEnd(lanes, lanes.length, random);
    return lanes;
  }
}

function takenFrom(lane: Lane, most: number, random: Random | null): Update[] {
  const { updates } = lane;
  if (random !== null) shuffleToEnd(updates, most, random);
  if (updates.length <= most) return updates;
  return random === null ? updates.splice(0, most) : updates.splice(-most);
}

function entryOf({ destination, second }: Lane, updates: readonly Update[]): Record<string, unknown> {
  const changes: Record<string, unknown>[] = [];
  const statusesOf = new Map<string, StatusValue>();
  for (const update of updates) {
    if ("value" in update) {
      changes.push({ field: update.field, value: update.value });
      continue;
    }
    let value = statusesOf.get(update.metadata.phone_number_id);
    if (value === undefined) {
      value = { messaging_product: "whatsapp", metadata: update.metadata, statuses: [] };
      statusesOf.set(update.metadata.phone_number_id, value);
      changes.push({ field: "messages", value });
    }
    if (update.contact !== null) addContact(value, update.contact);
    value.statuses.push(update.status);
  }
  const id = destination.entryId;
  return second === null ? { id, changes } : { id, time: second, changes };
}

// Several statuses of one person name the person once: receivers must not pair the two lists by position.
function addContact(value: StatusValue, contact: Record<string, unknown>): void {
  value.contacts ??= [];
  const known = value.contacts.some(
    (one) => one["user_id"] === contact["user_id"] && one["wa_id"] === contact["wa_id"],
  );
  if (!known) value.contacts.push(contact);
}

type StatusValue = {
  messaging_product: "whatsapp";
  metadata: Metadata;
  contacts?: Record<string, unknown>[];
  statuses: Record<string, unknown>[];
};
