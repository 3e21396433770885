import type { Account } from "./world.ts";

export const HOUR_MS = 3_600_000;

/** Management calls of each account: those of the last hour, and how many of each operation since the start. */
export class ManagementCalls {
  /** Times in milliseconds, in order. */
  readonly #recent = new Map<string, number[]>();
  readonly #counts = new Map<string, Record<string, number>>();

  /** Notes a call; false beyond the quota, which such calls do not use. */
  take(account: Account, operation: string, { now, quota }: { now: number; quota: number | null }): boolean {
    const counts = this.#counts.get(account.id) ?? {};
    this.#counts.set(account.id, counts);
    counts[operation] = (counts[operation] ?? 0) + 1;
    const recent = this.recent(account, now);
    if (quota !== null && recent.length >= quota) return false;
    recent.push(now);
    return true;
  }

  recent({ id }: Account, now: number): number[] {
    const recent = (this.#recent.get(id) ?? []).filter((at) => at > now - HOUR_MS);
    this.#recent.set(id, recent);
    return recent;
  }

  /** By account and operation. */
  counts(): Record<string, Record<string, number>> {
    return Object.fromEntries([...this.#counts].map(([id, counts]) => [id, { ...counts }]));
  }

  clear(): void {
    this.#recent.clear();
    this.#counts.clear();
  }
}
