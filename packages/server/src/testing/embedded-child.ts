import { startEmbedded } from "../db/embedded/embedded.ts";

/**
 * A process with an embedded database, for tests that kill it: `embedded-child.ts <dataDir>` prints one line of JSON when the
 * database runs, or one line of text and exit code 1; SIGTERM stops first the database, then the process.
 */
const dataDir = process.argv[2] ?? "";

try {
  const database = await startEmbedded({ dataDir, durable: false });
  process.on("SIGTERM", () => {
    void database.stop().then(() => process.exit(0));
  });
  console.log(JSON.stringify({ url: database.url, pid: database.pid, origin: database.origin }));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exit(1);
}
