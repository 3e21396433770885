import { LRUCache } from "lru-cache";
import type { App } from "../../ctx.ts";
import { BatchedCalls, type CallsOf } from "../../db/batched.ts";
import type { Clock } from "../../lib/clock.ts";
import { maxAge } from "../../lib/max-age.ts";
import { findOwners, type OwnerAnswer, type OwnerAsk } from "./ingress.store.ts";

/** `userIdScope`: the portfolio that the user ids of the number's people are valid in. */
export type NumberOwner = AccountOwner & { phoneNumberId: string; userIdScope: string };
export type AccountOwner = { workspaceId: string; businessAccountId: string };

/** How long an owner is used without asking again: a number that moves to another workspace is disconnected here first. */
const KEPT_MS = 4_000;
/** Numbers and accounts kept: some 300 bytes each. */
const MOST_KEPT = 50_000;

/** The workspace that owns one of the provider's ids (unique over all workspaces); null when none does. Rejects when the database is away. */
export class CallbackOwners {
  readonly #clock: Clock;
  readonly #asks: CallsOf<typeof findOwners>;
  /** By `n:` and a number's id, or `a:` and an account's. */
  readonly #kept: LRUCache<string, OwnerAnswer>;

  constructor({ db, clock }: App) {
    this.#clock = clock;
    this.#kept = new LRUCache({ max: MOST_KEPT, ...maxAge(KEPT_MS, () => clock.monotonic()) });
    this.#asks = new BatchedCalls({ db, clock, fn: findOwners, group: () => "" });
  }

  async ofNumber(providerPhoneNumberId: string): Promise<NumberOwner | null> {
    const ask = { provider_phone_number_id: providerPhoneNumberId, provider_account_id: null };
    const answer = await this.#find(`n:${providerPhoneNumberId}`, ask);
    return answer.workspace_id && answer.phone_number_id && answer.business_account_id
      ? {
          workspaceId: answer.workspace_id,
          businessAccountId: answer.business_account_id,
          phoneNumberId: answer.phone_number_id,
          userIdScope: answer.user_id_scope ?? "",
        }
      : null;
  }

  async ofAccount(providerAccountId: string): Promise<AccountOwner | null> {
    const ask = { provider_phone_number_id: null, provider_account_id: providerAccountId };
    const answer = await this.#find(`a:${providerAccountId}`, ask);
    return answer.workspace_id && answer.business_account_id
      ? { workspaceId: answer.workspace_id, businessAccountId: answer.business_account_id }
      : null;
  }

  // Ids without an owner are not kept: their callbacks wait in quarantine, and the next one must see that they were connected.
  async #find(key: string, ask: OwnerAsk): Promise<OwnerAnswer> {
    const kept = this.#kept.get(key);
    if (kept) return kept;
    const start = this.#clock.monotonic(); // the age counts from before the read: the owner may change during it
    const answer = await this.#asks.submit(ask);
    if (answer.workspace_id !== null) this.#kept.set(key, answer, { start });
    return answer;
  }
}
