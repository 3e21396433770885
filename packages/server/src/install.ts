import { migrate, type Roles } from "./db/migrate.ts";
import { HOT_FUNCTIONS } from "./features.ts";
import { SLOTS } from "./lanes/wake.ts";

/** Brings a database up to this version: roles, migrations, partitions, hot functions. Ten processes may call it at once. */
export const install = (url: string, options: { now?: number; log?: (text: string) => void } = {}): Promise<Roles> =>
  migrate(url, {
    functions: HOT_FUNCTIONS,
    slots: SLOTS,
    now: options.now ?? Date.now(),
    ...(options.log ? { log: options.log } : {}),
  });
