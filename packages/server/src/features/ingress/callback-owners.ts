import type { App } from "../../ctx.ts";
import { batchCalls } from "../../db/batched.ts";
import { findRoutes, type RouteAnswer, type RouteAsk } from "./ingress.store.ts";

export type NumberOwner = { workspaceId: string; phoneNumberId: string };
export type AccountOwner = { workspaceId: string; businessAccountId: string };

/** From the provider's ids to the workspace that owns them, under global unique indexes. */
export type Routes = {
  ofNumber(providerPhoneNumberId: string): Promise<NumberOwner | null>;
  ofAccount(providerAccountId: string): Promise<AccountOwner | null>;
};

/** An owner is believed for this long: a number that moves to another workspace is reconnected there first. */
const KEPT_MS = 4_000;
const MOST_KEPT = 50_000;

export function createRoutes(app: App): Routes {
  const asks = batchCalls({ db: app.db, clock: app.clock, fn: findRoutes, group: () => "" });
  const kept = new Map<string, { at: number; answer: RouteAnswer }>();

  // Strangers are not kept: their callbacks wait in quarantine, and the next one should see that they were connected.
  async function find(name: string, ask: RouteAsk): Promise<RouteAnswer> {
    const now = app.clock.monotonic();
    const known = kept.get(name);
    if (known && now - known.at < KEPT_MS) return known.answer;
    const answer = await asks.submit(ask);
    if (kept.size >= MOST_KEPT) kept.clear();
    if (answer.workspace_id !== null) kept.set(name, { at: now, answer });
    return answer;
  }

  return {
    async ofNumber(id) {
      const answer = await find(`n:${id}`, { provider_phone_number_id: id, provider_account_id: null });
      return answer.workspace_id && answer.phone_number_id
        ? { workspaceId: answer.workspace_id, phoneNumberId: answer.phone_number_id }
        : null;
    },
    async ofAccount(id) {
      const answer = await find(`a:${id}`, { provider_phone_number_id: null, provider_account_id: id });
      return answer.workspace_id && answer.business_account_id
        ? { workspaceId: answer.workspace_id, businessAccountId: answer.business_account_id }
        : null;
    },
  };
}
