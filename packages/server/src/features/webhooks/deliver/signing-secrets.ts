import type { Database } from "../../../db/database.ts";
import type { Secrets } from "../../../lib/secrets.ts";
import { readSecrets, type SealedSecrets } from "../endpoints/endpoint.store.ts";

/** What an attempt needs of its endpoint: the URL and the secrets that are live now, newest first. */
export type Signer = { url: string; secretsAt(nowMs: number): string[] };

/** Binds a sealed secret to its endpoint: a copy in another row does not open. */
export const secretContext = (workspaceId: string, endpointId: string): string =>
  `webhook:${workspaceId}:${endpointId}`;

/** Endpoints whose secrets are open in memory. */
const MOST_SIGNERS = 10_000;

/**
 * URL and secrets of endpoints, read as the workspace's own role (the engine's cannot see secrets) and kept while the
 * version lasts. Each attempt brings the version that it has just read, so a rotated secret or a new URL holds at once.
 */
export function createSigners(
  db: Database,
  secrets: Secrets,
): (workspaceId: string, endpointId: string, version: number) => Promise<Signer | null> {
  const known = new Map<string, { version: number; signer: Promise<Signer | null> }>();

  const asked = new Map<string, { ids: string[]; rows: Promise<SealedSecrets[]> }>();
  let reading: Promise<unknown> = Promise.resolve();

  // Endpoints of a workspace that are asked for meanwhile are read together, one workspace after the other: a process that
  // has just taken over a hundred of them leaves the connections to those who answer clients.
  async function sealed(workspaceId: string, endpointId: string): Promise<SealedSecrets | undefined> {
    let batch = asked.get(workspaceId);
    if (!batch) {
      const ids: string[] = [];
      const rows = reading.then(() => {
        asked.delete(workspaceId);
        return db.read(workspaceId, (sql) => readSecrets(sql, workspaceId, ids));
      });
      reading = rows.catch(() => {});
      batch = { ids, rows };
      asked.set(workspaceId, batch);
    }
    batch.ids.push(endpointId);
    return (await batch.rows).find(({ id }) => id === endpointId);
  }

  async function read(workspaceId: string, endpointId: string): Promise<Signer | null> {
    const row = await sealed(workspaceId, endpointId);
    if (!row) return null;
    const context = secretContext(workspaceId, endpointId);
    const current = secrets.open(row.secret, context).toString();
    const previous = row.previous_secret ? secrets.open(row.previous_secret, context).toString() : null;
    const until = row.previous_secret_until?.getTime() ?? 0;
    return { url: row.url, secretsAt: (now) => (previous !== null && now < until ? [current, previous] : [current]) };
  }

  return (workspaceId, endpointId, version) => {
    const entry = known.get(endpointId);
    // What is kept may be newer than what a slow attempt has read; never older.
    if (entry && entry.version >= version) return entry.signer;
    const signer = read(workspaceId, endpointId);
    known.delete(endpointId);
    known.set(endpointId, { version, signer });
    signer.catch(() => {
      if (known.get(endpointId)?.signer === signer) known.delete(endpointId);
    });
    if (known.size > MOST_SIGNERS) known.delete(known.keys().next().value ?? "");
    return signer;
  };
}
