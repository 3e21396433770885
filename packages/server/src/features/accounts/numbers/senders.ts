import { LRUCache } from "lru-cache";
import type { App } from "../../../ctx.ts";
import { BatchedCalls } from "../../../db/batched.ts";
import { atMost } from "../../../lib/at-most.ts";
import { maxAge } from "../../../lib/max-age.ts";
import { TtlCache } from "../../../lib/ttl-cache.ts";
import type { ProviderError } from "../../../provider/provider.ts";
import { reportTrouble } from "../account-failures.ts";
import { readToken } from "../token.ts";
import { canSend } from "./number-status.sql.ts";
import { type LaneSenderRow, type SenderRow, sendersOfLanes, sendersOfWorkspaces } from "./senders.store.ts";

/** A number of the workspace, as accepting a message needs it. */
export type Sender = {
  phoneNumberId: string;
  providerPhoneNumberId: string;
  /** E.164 with `+`. */
  phone: string;
  businessAccountId: string;
  /** Its business portfolio, where that has a messaging limit. */
  limitedPortfolio: string | null;
  usable: boolean;
  lane: number;
  /** Why it is not usable: `account_` or `number_` and the status. */
  reason: string | null;
  isDefault: boolean;
  /** Messages a second that the provider allows the number, as its lane is paced; at most four seconds old. */
  throughputPerSecond: number;
};

/** The number behind a lane, as dispatch needs it. */
export type LaneSender = {
  lane: number;
  workspaceId: string;
  phoneNumberId: string;
  providerPhoneNumberId: string;
  businessAccountId: string;
  throughputPerSecond: number;
  /** The provider refuses its marketing as spam: ask before each message. */
  marketingStopped: boolean;
  usable: boolean;
  /** Milliseconds; another one, by whichever process's clock, is another state of the account. */
  accountChangedAt: number;
  /** Milliseconds: when the provider was last asked about the account and let its token in. 0: never. */
  accountCheckedAt: number;
  /** The portfolio that the user ids of its recipients are valid in. */
  userIdScope: string;
  /** Its business portfolio, where that has a messaging limit. */
  limitedPortfolio: string | null;
  /** The Messaging account that its sends name; null: none. */
  messagingAccountId: string | null;
  /** Monotonic: when it was read, or before. */
  readAt: number;
};

/** An account as it was at one moment. */
export type AccountState = Pick<LaneSender, "workspaceId" | "businessAccountId" | "accountChangedAt">;

const MAX_AGE_MS = 4_000;
/**
 * The settings of a lane show a changed account within four seconds, and its token is read again. Else only now and then: it is a
 * transaction of its own, and an account of many that each send now and then would have one for every third message.
 */
const MAX_TOKEN_AGE_MS = 600_000;
/** Workspaces cached: about 1 KiB each with a few numbers. */
const MOST_WORKSPACES = 20_000;
const MOST_TOKENS = 10_000;
/** A thousand sends may meet the same dead token: it is reported once in this time. */
const QUIET_MS = 5_000;
const MOST_QUIET = 10_000;
/** Several times as long as the settings of a lane are old at the most. */
const CHANGED_MS = 30_000;

/** The numbers that can send and the tokens they send with; the numbers of a workspace are cached for at most four seconds. */
export class Senders {
  readonly #app: App;
  readonly #ofWorkspace: TtlCache<string, readonly Sender[]>;
  /** By the account and its state: a token that was read of another state may be another one. */
  readonly #tokens: TtlCache<string, string | null>;
  /** By account and kind of trouble: reported less than `QUIET_MS` ago. */
  readonly #reported: LRUCache<string, true>;
  /** By account: when its settings last changed here; monotonic. Lanes read them again well before it is forgotten. */
  readonly #changedAt: LRUCache<string, number>;

  constructor(app: App) {
    const monotonic = (): number => app.clock.monotonic();
    const reads = new BatchedCalls({
      db: app.db,
      clock: app.clock,
      fn: sendersOfWorkspaces,
      group: (row) => row.workspace_id,
    });
    this.#app = app;
    this.#reported = new LRUCache({ ...atMost(MOST_QUIET), ...maxAge(QUIET_MS, monotonic) });
    this.#changedAt = new LRUCache({ ...atMost(MOST_TOKENS), ...maxAge(CHANGED_MS, monotonic) });
    this.#ofWorkspace = new TtlCache<string, readonly Sender[]>({
      load: async (workspaceId) => (await reads.submit({ workspace_id: workspaceId })).senders.map(senderOf),
      // A workspace without a number is about to connect one.
      keep: (found) => found.length > 0,
      most: MOST_WORKSPACES,
      maxAgeMs: MAX_AGE_MS,
      monotonic,
    });
    this.#tokens = new TtlCache({
      load: async (key) => {
        const [workspaceId = "", accountId = ""] = key.split(" ");
        return await readToken(app, workspaceId, accountId);
      },
      keep: (text) => text !== null,
      most: MOST_TOKENS,
      maxAgeMs: MAX_TOKEN_AGE_MS,
      monotonic,
    });
  }

  /** Every number of the workspace, oldest first. */
  ofWorkspace(workspaceId: string): Promise<readonly Sender[]> {
    return this.#ofWorkspace.get(workspaceId);
  }

  /** Lanes without a number are missing from the answer. */
  async ofLanes(lanes: readonly number[]): Promise<Map<number, LaneSender>> {
    const { db, clock } = this.#app;
    const rows = lanes.map((lane) => ({ lane }));
    const readAt = clock.monotonic();
    const found = rows.length === 0 ? [] : await db.call(sendersOfLanes, rows, clock.now());
    return new Map(found.map((row) => [row.lane, laneSenderOf(row, readAt)]));
  }

  /** Settings of an account have changed here: what was read of its numbers before is outdated. */
  changed(accountId: string): void {
    this.#changedAt.set(accountId, this.#app.clock.monotonic());
  }

  /** Brings a number up to date whose account has changed here since it was read; one that cannot be read stays as it is. */
  async refresh(sender: LaneSender): Promise<void> {
    const changedAt = this.#changedAt.get(sender.businessAccountId);
    if (changedAt === undefined || sender.readAt > changedAt) return;
    const found = await this.ofLanes([sender.lane]).catch(() => null);
    Object.assign(sender, found?.get(sender.lane));
  }

  /** Null when the account is not connected or its token cannot be opened. Read in this state of the account, or in a later one. */
  accessToken(account: AccountState): Promise<string | null> {
    return this.#tokens.get(keyOf(account));
  }

  /**
   * The provider refused something because of the account or its token. A dead token disconnects the account at once, a lock
   * restricts it, anything else is looked into by a task. Returns at once and never throws; the same trouble again within seconds is ignored.
   */
  reportAccountTrouble(account: AccountState, error: ProviderError): void {
    const { workspaceId, businessAccountId: accountId } = account;
    const key = `${accountId} ${error.class}`;
    if (this.#reported.has(key)) return;
    this.#reported.set(key, true);
    reportTrouble(this.#app, workspaceId, accountId, error, account.accountChangedAt).then(
      () => {
        this.#ofWorkspace.forget(workspaceId);
        this.#tokens.forget(keyOf(account));
      },
      (failure: unknown) => {
        this.#reported.delete(key); // the next refusal reports again
        this.#app.log.warn(
          { err: failure, workspace_id: workspaceId, business_account_id: accountId },
          "trouble of an account could not be recorded; its next refusal reports it again",
        );
      },
    );
  }

  /** Drops what is cached of the workspace's numbers: something newer was seen. */
  forget(workspaceId: string): void {
    this.#ofWorkspace.forget(workspaceId);
  }
}

function senderOf(row: SenderRow): Sender {
  const reason = unusable(row.account_status, row.number_status);
  return {
    phoneNumberId: row.id,
    providerPhoneNumberId: row.provider_phone_number_id,
    phone: row.phone,
    businessAccountId: row.business_account_id,
    limitedPortfolio: row.limited_portfolio,
    usable: reason === null,
    lane: row.lane,
    reason,
    isDefault: row.is_default,
    throughputPerSecond: row.throughput_per_second,
  };
}

const laneSenderOf = (row: LaneSenderRow, readAt: number): LaneSender => ({
  lane: row.lane,
  workspaceId: row.workspace_id,
  phoneNumberId: row.phone_number_id,
  providerPhoneNumberId: row.provider_phone_number_id,
  businessAccountId: row.business_account_id,
  throughputPerSecond: row.throughput_per_second,
  marketingStopped: row.marketing_stopped,
  usable: unusable(row.account_status, row.number_status) === null && !row.paused,
  accountChangedAt: row.account_changed_at.getTime(),
  accountCheckedAt: row.account_checked_at?.getTime() ?? 0,
  userIdScope: row.user_id_scope,
  limitedPortfolio: row.limited_portfolio,
  messagingAccountId: row.messaging_account_id,
  readAt,
});

/** The same rule as in the SQL of `accept_messages`, which decides. */
function unusable(accountStatus: string, numberStatus: string): string | null {
  if (accountStatus !== "connected") return `account_${accountStatus}`;
  return canSend(numberStatus) ? null : `number_${numberStatus}`;
}

const keyOf = ({ workspaceId, businessAccountId, accountChangedAt }: AccountState): string =>
  `${workspaceId} ${businessAccountId} ${accountChangedAt}`;
