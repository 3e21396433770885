import type { App } from "../../ctx.ts";
import { batchCalls } from "../../db/batched.ts";
import { formatId } from "../../lib/ids.ts";
import { createFreshCache } from "../../lib/ttl-cache.ts";
import type { ProviderError } from "../../provider/provider.ts";
import { type LaneSenderRow, type SenderRow, sendersOfLanes, sendersOfWorkspaces } from "./senders.store.ts";
import { readSecretAccount } from "./store.ts";
import { reportTrouble } from "./tasks/handlers.ts";
import { tokenContext } from "./token.ts";

/** A number of the workspace, as sending needs it. */
export type Sender = {
  phoneNumberId: string;
  lane: number;
  /** E.164 with `+`. */
  phone: string;
  providerPhoneNumberId: string;
  businessAccountId: string;
  usable: boolean;
  /** Why it is not usable: `account_` or `number_` and the status. */
  reason: string | null;
  isDefault: boolean;
};

/** The number behind a lane, as dispatch needs it. */
export type LaneSender = {
  lane: number;
  workspaceId: string;
  phoneNumberId: string;
  providerPhoneNumberId: string;
  businessAccountId: string;
  throughputPerSecond: number;
  usable: boolean;
  /** Milliseconds: a token that was read of an older state may be another one. */
  accountChangedAt: number;
};

/** An account as it was at one moment. */
export type AccountState = Pick<LaneSender, "workspaceId" | "businessAccountId" | "accountChangedAt">;

/** Who can send, answered never more than four seconds old, and with what token. */
export type Senders = {
  /** Every number of the workspace, oldest first. */
  ofWorkspace(workspaceId: string): Promise<readonly Sender[]>;
  /** The number named by `num_…` or E.164, without a name the default one; null when there is none. */
  resolve(workspaceId: string, from?: string): Promise<Sender | null>;
  /** Lanes without a number are missing from the answer. */
  ofLanes(lanes: readonly number[]): Promise<Map<number, LaneSender>>;
  /** Null when the account is not connected or its token cannot be opened. Read again when the account has changed. */
  accessToken(account: AccountState): Promise<string | null>;
  /**
   * The provider spoke of the account or its token. A dead token disconnects it at once, anything else is looked into by a
   * task. Returns at once and never throws; the same trouble told again within seconds costs nothing.
   */
  reportAccountTrouble(account: AccountState, error: ProviderError): void;
  /** Something newer than what is kept of the workspace was seen. */
  forget(workspaceId: string): void;
};

const MAX_AGE_MS = 4_000;
/** A lane's settings tell of a changed account within four seconds; this is for when they cannot be read. */
const MAX_TOKEN_AGE_MS = 20_000;
/** Workspaces kept: about 1 KiB each with a few numbers. */
const MOST_WORKSPACES = 20_000;
const MOST_TOKENS = 10_000;
/** A thousand sends may meet the same dead token: it is reported once in this time. */
const QUIET_MS = 5_000;
const MOST_QUIET = 10_000;

export function createSenders(app: App): Senders {
  const monotonic = (): number => app.clock.monotonic();
  const reads = batchCalls({
    db: app.db,
    clock: app.clock,
    fn: sendersOfWorkspaces,
    group: (row) => row.workspace_id,
  });
  const senders = createFreshCache<string, readonly Sender[]>({
    load: async (workspaceId) => (await reads.submit({ workspace_id: workspaceId })).senders.map(senderOf),
    // Who has no number yet is about to connect one.
    keep: (found) => found.length > 0,
    most: MOST_WORKSPACES,
    maxAgeMs: MAX_AGE_MS,
    monotonic,
  });
  const tokens = createFreshCache<string, Token>({
    load: async (key) => {
      const [workspaceId = "", accountId = ""] = key.split(" ");
      return await openToken(app, workspaceId, accountId);
    },
    keep: ({ text }) => text !== null,
    most: MOST_TOKENS,
    maxAgeMs: MAX_TOKEN_AGE_MS,
    monotonic,
  });
  const quiet = new Map<string, number>();

  function reportAccountTrouble(account: AccountState, error: ProviderError): void {
    const { workspaceId, businessAccountId: accountId } = account;
    const key = `${accountId} ${error.tokenDead}`;
    const at = monotonic();
    if (at - (quiet.get(key) ?? Number.NEGATIVE_INFINITY) < QUIET_MS) return;
    if (quiet.size >= MOST_QUIET) quiet.clear();
    quiet.set(key, at);
    reportTrouble(app, workspaceId, accountId, error).then(
      () => {
        senders.forget(workspaceId);
        tokens.forget(keyOf(account));
      },
      (failure: unknown) => {
        quiet.delete(key); // the next refusal reports again
        app.log.warn(
          { err: failure, workspace_id: workspaceId, business_account_id: accountId },
          "trouble not recorded",
        );
      },
    );
  }

  return {
    ofWorkspace: (workspaceId) => senders.get(workspaceId),
    async resolve(workspaceId, from) {
      const all = await senders.get(workspaceId);
      const fits = (one: Sender): boolean =>
        from === undefined ? one.isDefault : one.phone === from || formatId("num", one.phoneNumberId) === from;
      return all.find(fits) ?? null;
    },
    async ofLanes(lanes) {
      const rows = lanes.map((lane) => ({ lane }));
      const found = rows.length === 0 ? [] : await app.db.call(sendersOfLanes, rows, app.clock.now());
      return new Map(found.map((row) => [row.lane, laneSenderOf(row)]));
    },
    async accessToken(account) {
      const known = await tokens.get(keyOf(account));
      if (known.changedAt >= account.accountChangedAt) return known.text;
      return (await tokens.refresh(keyOf(account))).text;
    },
    reportAccountTrouble,
    forget: (workspaceId) => senders.forget(workspaceId),
  };
}

/** The same rule as accept's own in SQL, which has the last word. */
function unusable(accountStatus: string, numberStatus: string): string | null {
  if (accountStatus !== "connected") return `account_${accountStatus}`;
  return numberStatus === "connected" ? null : `number_${numberStatus}`;
}

function senderOf(row: SenderRow): Sender {
  const reason = unusable(row.account_status, row.number_status);
  return {
    phoneNumberId: row.id,
    lane: row.lane,
    phone: row.phone,
    providerPhoneNumberId: row.provider_phone_number_id,
    businessAccountId: row.business_account_id,
    usable: reason === null,
    reason,
    isDefault: row.is_default,
  };
}

const laneSenderOf = (row: LaneSenderRow): LaneSender => ({
  lane: row.lane,
  workspaceId: row.workspace_id,
  phoneNumberId: row.phone_number_id,
  providerPhoneNumberId: row.provider_phone_number_id,
  businessAccountId: row.business_account_id,
  throughputPerSecond: row.throughput_per_second,
  usable: unusable(row.account_status, row.number_status) === null,
  accountChangedAt: row.account_changed_at.getTime(),
});

const keyOf = ({ workspaceId, businessAccountId }: AccountState): string => `${workspaceId} ${businessAccountId}`;

/** `changedAt`: the state of the account that it was read of, in milliseconds. */
export type Token = { text: string | null; changedAt: number };

/** The account's token; null when it is not connected or the token cannot be opened. */
export async function openToken(app: App, workspaceId: string, accountId: string): Promise<Token> {
  const account = await app.db.read(workspaceId, (sql) => readSecretAccount(sql, workspaceId, accountId));
  const changedAt = account?.updated_at.getTime() ?? Number.POSITIVE_INFINITY;
  if (!account?.access_token || account.status === "connecting" || account.status === "disconnected")
    return { text: null, changedAt };
  try {
    return {
      text: app.secrets.open(account.access_token, tokenContext(workspaceId, accountId)).toString(),
      changedAt,
    };
  } catch {
    app.log.error({ workspace_id: workspaceId, business_account_id: accountId }, "the account's token does not open");
    return { text: null, changedAt };
  }
}
