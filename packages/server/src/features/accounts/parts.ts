import type { App } from "../../ctx.ts";
import type { Sql } from "../../db/database.ts";
import type { ProviderTemplate } from "../../provider/provider.ts";

/** All templates that an account has at the provider. */
export type AccountTemplates = {
  businessAccountId: string;
  templates: readonly ProviderTemplate[];
  /** The account's first import. */
  first: boolean;
  /** Milliseconds: before the provider was asked. */
  readAt: number;
  now: number;
};

/** A connected account and its numbers, by the provider's ids. */
export type ConnectedAccount = { providerAccountId: string; providerPhoneNumberIds: readonly string[] };

/** What other features keep of an account. They stand above this one, so it calls them through what the process gives it. */
export type AccountParts = {
  /** Brings the account's templates to the provider's state, in the transaction of the import. Returns the slots of `deliver` to hint after it. */
  takeTemplates(sql: Sql, workspaceId: string, of: AccountTemplates): Promise<number[]>;
  /** Takes what came for the account while no workspace had it; safe to repeat. */
  replayUnowned(app: App, account: ConnectedAccount): Promise<void>;
};

export type AccountDeps = AccountParts & {
  /** Drops what this process has cached of the workspace's numbers and templates. */
  forget(workspaceId: string): void;
};
