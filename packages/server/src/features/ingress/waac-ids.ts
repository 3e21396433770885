import { LRUCache } from "lru-cache";
import type { App } from "../../ctx.ts";
import { atMost } from "../../lib/at-most.ts";
import { HOUR_MS } from "../../lib/duration.ts";
import { maxAge } from "../../lib/max-age.ts";
import { QuietLog } from "../../lib/quiet-log.ts";
import type { NamedWaac } from "../../provider/named-waac.ts";
import { learnWaac } from "../accounts/learn-waac.ts";

type Owner = { workspaceId: string; businessAccountId: string };
type Owners = {
  ofNumber(providerPhoneNumberId: string): Promise<Owner | null>;
  ofAccountNow(providerAccountId: string): Promise<Owner | null>;
};

/** Pairs remembered: some 100 bytes each. */
const MOST_KEPT = 50_000;
/** A number may have moved to another workspace, whose account is to learn it too. */
const KEPT_MS = HOUR_MS;

/**
 * Learns the WhatsApp accounts that callbacks name, beside their work: of each number or account once an hour. What fails is learnt
 * from the next callback.
 */
export class WaacIds {
  readonly #app: App;
  readonly #owners: Owners;
  readonly #quiet: QuietLog;
  readonly #known: LRUCache<string, true>;
  readonly #running = new Set<Promise<void>>();

  constructor(app: App, owners: Owners) {
    this.#app = app;
    this.#owners = owners;
    this.#quiet = new QuietLog(app.log, app.clock);
    this.#known = new LRUCache({ ...atMost(MOST_KEPT), ...maxAge(KEPT_MS, () => app.clock.monotonic()) });
  }

  /** Returns at once and never throws. */
  note(named: readonly NamedWaac[]): void {
    for (const one of named) {
      const key = `${one.providerPhoneNumberId ?? ""} ${one.providerAccountId ?? ""} ${one.waacId}`;
      if (this.#known.has(key)) continue;
      this.#known.set(key, true);
      const learning = this.#learn(one, key).finally(() => this.#running.delete(learning));
      this.#running.add(learning);
    }
  }

  async #learn({ waacId, providerPhoneNumberId, providerAccountId }: NamedWaac, key: string): Promise<void> {
    try {
      const ofNumber = providerPhoneNumberId === null ? null : await this.#owners.ofNumber(providerPhoneNumberId);
      const isAccounts = ofNumber === null && providerAccountId !== null;
      const owner = isAccounts ? await this.#owners.ofAccountNow(providerAccountId) : ofNumber;
      if (owner === null) this.#known.delete(key);
      else await learnWaac(this.#app, owner, waacId);
    } catch (error) {
      this.#known.delete(key);
      this.#quiet.warn("failed", { err: error }, "the WhatsApp account that a callback names could not be stored");
    }
  }

  async stop(): Promise<void> {
    await Promise.all(this.#running);
  }
}
