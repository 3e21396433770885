import type { Ctx } from "../../ctx.ts";
import { Problem } from "../../http/problem.ts";
import { pause } from "../../lib/clock.ts";
import type { AccountAccess, ProviderError } from "../../provider/provider.ts";
import { taskBackoff } from "../tasks/lane.ts";
import { ANOTHER_ACCOUNT, fetchAccount, isRefusal, type ProviderSnapshot } from "./tasks/provider-import.ts";
import { refusalOf, wrongIdOf } from "./wrong-id.ts";

/** The contract promises 201 or 422 within this time, else 202 while a task continues. */
export const VERIFY_WITHIN_MS = 10_000;
/** Each makes three calls at once, and the sockets to the provider are mostly for sends. */
const MOST_AT_ONCE = 16;
/** So that one workspace cannot use up the places of all others. */
const MOST_OF_WORKSPACE = 4;

/** What the provider answered about an account and its token, all read since `readAt` (milliseconds). */
export type Verified = { found: ProviderSnapshot; readAt: number };

/** Verifies accounts with the provider before anything of them is stored. One for the process: it counts what is running. */
export class Verifier {
  #running = 0;
  readonly #runningOf = new Map<string, number>();

  /**
   * Asks the provider about an account. Throws `provider_rejected` when the provider refuses. Null when it has not answered in
   * time, or when too many are being verified already: a task then continues.
   */
  async verify(ctx: Ctx, access: AccountAccess): Promise<Verified | null> {
    const { workspaceId, clock } = ctx;
    if (!this.#enter(workspaceId)) return null;
    let late = false;
    let cancel = (): void => undefined;
    const deadline = new Promise<null>((resolve) => {
      cancel = clock.after(VERIFY_WITHIN_MS, () => {
        late = true;
        resolve(null);
      });
    });
    // A call that is still running at the deadline is counted until it ends.
    const asking = ask(ctx, access, () => late).finally(() => this.#leave(workspaceId));
    try {
      return await Promise.race([asking, deadline]);
    } finally {
      cancel();
    }
  }

  #enter(workspaceId: string): boolean {
    const own = this.#runningOf.get(workspaceId) ?? 0;
    if (this.#running >= MOST_AT_ONCE || own >= MOST_OF_WORKSPACE) return false;
    this.#running += 1;
    this.#runningOf.set(workspaceId, own + 1);
    return true;
  }

  #leave(workspaceId: string): void {
    this.#running -= 1;
    const own = (this.#runningOf.get(workspaceId) ?? 1) - 1;
    if (own === 0) this.#runningOf.delete(workspaceId);
    else this.#runningOf.set(workspaceId, own);
  }
}

async function ask(ctx: Ctx, access: AccountAccess, late: () => boolean): Promise<Verified | null> {
  for (let tries = 0; !late(); tries++) {
    const readAt = ctx.clock.now();
    const found = await fetchAccount(ctx, access);
    if (found.ok) {
      if (found.value.account.providerAccountId !== access.providerAccountId)
        throw new Problem("provider_rejected", ANOTHER_ACCOUNT);
      return { found: found.value, readAt };
    }
    if (isRefusal(found.error)) throw rejected(found.error, await wrongIdOf(ctx.provider, access, found.error));
    // The task that continues waits until the quota of calls has room again.
    if ((found.error.retryAfterMs ?? 0) > VERIFY_WITHIN_MS) return null;
    await pause(ctx.clock, taskBackoff(tries, ctx.random));
  }
  return null;
}

const rejected = (error: ProviderError, wrongId: string | null): Problem =>
  new Problem("provider_rejected", `The provider refused the account or its token: ${refusalOf(error, wrongId)}`, {
    provider: error.provider,
  });
