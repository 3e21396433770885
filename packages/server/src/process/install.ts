import { migrate } from "../db/migrate.ts";
import type { Roles } from "../db/roles.ts";
import { HOT_FUNCTIONS } from "../features.ts";
import { SLOTS } from "../lanes/lane-kinds.ts";

export type InstallOptions = {
  /** Milliseconds; the database's clock when none is given. */
  now?: number;
  log?: (text: string) => void;
  /** Called with what works but should be changed by the operator. */
  warn?: (text: string) => void;
  /** Called with the names of the migrations that were applied now; not where there were none. */
  onApplied?: (names: readonly string[]) => void;
};

/** Brings a database up to this version: roles, migrations, partitions, hot functions. Several processes may call it at once. */
export const install = (url: string, options: InstallOptions = {}): Promise<Roles> =>
  migrate(url, { functions: HOT_FUNCTIONS, slots: SLOTS, ...options });
