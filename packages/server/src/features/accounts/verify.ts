import type { Ctx } from "../../ctx.ts";
import { Problem } from "../../http/problem.ts";
import type { Clock } from "../../lib/clock.ts";
import type { AccountAccess, ProviderError } from "../../provider/provider.ts";
import { taskBackoff } from "../tasks/backoff.ts";
import { reasonOf } from "./account-failures.ts";
import { ANOTHER_ACCOUNT, type Found, fetchAccount, isRefusal } from "./tasks/provider-import.ts";

/** The promise of the contract: 201 or 422 within this time, else 202 and going on. */
export const VERIFY_WITHIN_MS = 10_000;
/** Each has three calls under way at once; the provider's sockets are mostly for sends. */
const MOST_AT_ONCE = 16;
/** One workspace does not hold the places of the others. */
const MOST_OF_WORKSPACE = 4;

/** What the provider said of an account and its token, all read since `readAt` (milliseconds). */
export type Verified = { found: Found; readAt: number };

/**
 * Asks the provider about an account before anything of it is kept. Throws `provider_rejected` at a definite no. Null when it
 * is not known in time, or when too many are being asked already: a task then goes on.
 */
export type Verify = (ctx: Ctx, access: AccountAccess) => Promise<Verified | null>;

/** One for a process: it counts who is being verified. */
export function createVerify(): Verify {
  const running = new Map<string, number>();
  let all = 0;

  function enter(workspaceId: string): boolean {
    const own = running.get(workspaceId) ?? 0;
    if (all >= MOST_AT_ONCE || own >= MOST_OF_WORKSPACE) return false;
    all += 1;
    running.set(workspaceId, own + 1);
    return true;
  }
  function leave(workspaceId: string): void {
    all -= 1;
    const own = (running.get(workspaceId) ?? 1) - 1;
    if (own === 0) running.delete(workspaceId);
    else running.set(workspaceId, own);
  }

  return async (ctx, access) => {
    const { workspaceId, clock } = ctx;
    if (!enter(workspaceId)) return null;
    let late = false;
    let cancel = (): void => undefined;
    const deadline = new Promise<null>((resolve) => {
      cancel = clock.after(VERIFY_WITHIN_MS, () => {
        late = true;
        resolve(null);
      });
    });
    // A call that is still under way at the deadline keeps its place until it ends.
    const asking = ask(ctx, access, () => late).finally(() => leave(workspaceId));
    try {
      return await Promise.race([asking, deadline]);
    } finally {
      cancel();
    }
  };
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
    if (isRefusal(found.error)) throw rejected(found.error);
    await pause(ctx.clock, taskBackoff(tries, ctx.random));
  }
  return null;
}

const pause = (clock: Clock, ms: number): Promise<void> => new Promise((resolve) => void clock.after(ms, resolve));

const rejected = (error: ProviderError): Problem =>
  new Problem("provider_rejected", `The provider refused the account or its token: ${reasonOf(error)}`, {
    provider: error.provider,
  });
