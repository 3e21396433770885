import type { HotFunction } from "../../packages/server/src/db/hot-function.ts";
import { migrate } from "../../packages/server/src/db/migrate.ts";
import { HOT_FUNCTIONS } from "../../packages/server/src/features.ts";
import { SLOTS } from "../../packages/server/src/lanes/lane-kinds.ts";

/** A process that installs and ends: `migrate-child.ts <url> [killed]`; `killed` dies after the functions, before the engine role is left. */
const [url = "", mode] = process.argv.slice(2);

const deadly: HotFunction = {
  name: "deadly",
  installed: "deadly_0123456789",
  writes: false,
  span: null,
  // Asked for when all others are created, inside the transaction in which the login is a member of the engine.
  get text() {
    process.kill(process.pid, "SIGKILL");
    return "select pg_sleep(60)";
  },
};

await migrate(url, { functions: mode === "killed" ? [...HOT_FUNCTIONS, deadly] : HOT_FUNCTIONS, slots: SLOTS });
