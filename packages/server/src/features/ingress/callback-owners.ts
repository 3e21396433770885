import { LRUCache } from "lru-cache";
import type { App } from "../../ctx.ts";
import { BatchedCalls, type CallsOf } from "../../db/batched.ts";
import { atMost } from "../../lib/at-most.ts";
import type { Clock } from "../../lib/clock.ts";
import { maxAge } from "../../lib/max-age.ts";
import { findOwners } from "./ingress.store.ts";
import { WaacIds } from "./waac-ids.ts";

/** `userIdScope`: the portfolio that the user ids of the number's people are valid in. */
export type NumberOwner = AccountOwner & { phoneNumberId: string; userIdScope: string };
export type AccountOwner = { workspaceId: string; businessAccountId: string };

const KEPT_MS = 4_000;
/** Numbers kept: some 300 bytes each. */
const MOST_KEPT = 50_000;

/** The workspace that owns one of the provider's ids (unique over all workspaces); null when none does. Rejects when the database is away. */
export class CallbackOwners {
  readonly #clock: Clock;
  readonly #asks: CallsOf<typeof findOwners>;
  /** By the provider's id of the number. */
  readonly #kept: LRUCache<string, NumberOwner>;
  readonly waacIds: WaacIds;

  constructor(app: App) {
    const { db, clock } = app;
    this.waacIds = new WaacIds(app, this);
    this.#clock = clock;
    this.#kept = new LRUCache({ ...atMost(MOST_KEPT), ...maxAge(KEPT_MS, () => clock.monotonic()) });
    this.#asks = new BatchedCalls({ db, clock, fn: findOwners, group: () => "" });
  }

  /**
   * Some seconds old at the most, and perhaps not the owner any more: what takes the number's events fails then (`hasMoved`),
   * and the owner is to be forgotten.
   */
  async ofNumber(providerPhoneNumberId: string): Promise<NumberOwner | null> {
    const kept = this.#kept.get(providerPhoneNumberId);
    if (kept) return kept;
    const start = this.#clock.monotonic(); // the age counts from before the read: the owner may change during it
    const owner = await this.ofNumberNow(providerPhoneNumberId);
    // A number without an owner is not kept: its callbacks wait in quarantine, and the next one must see that it was connected.
    if (owner !== null) this.#kept.set(providerPhoneNumberId, owner, { start });
    return owner;
  }

  forget(providerPhoneNumberId: string): void {
    this.#kept.delete(providerPhoneNumberId);
  }

  async ofNumberNow(providerPhoneNumberId: string): Promise<NumberOwner | null> {
    const ask = { provider_phone_number_id: providerPhoneNumberId, provider_account_id: null };
    const answer = await this.#asks.submit(ask);
    return answer.workspace_id && answer.phone_number_id && answer.business_account_id
      ? {
          workspaceId: answer.workspace_id,
          businessAccountId: answer.business_account_id,
          phoneNumberId: answer.phone_number_id,
          userIdScope: answer.user_id_scope ?? "",
        }
      : null;
  }

  async ofAccountNow(providerAccountId: string): Promise<AccountOwner | null> {
    const ask = { provider_phone_number_id: null, provider_account_id: providerAccountId };
    const answer = await this.#asks.submit(ask);
    return answer.workspace_id && answer.business_account_id
      ? { workspaceId: answer.workspace_id, businessAccountId: answer.business_account_id }
      : null;
  }
}
