import { LRUCache } from "lru-cache";
import type { Database } from "../../../db/database.ts";
import { atMost } from "../../../lib/at-most.ts";
import type { Secrets } from "../../../lib/secrets.ts";
import { replacedSecrets, type SealedSecrets, selectEndpointSecretRows } from "../endpoints/endpoint.store.ts";
import { type OwnHeaders, openHeaders } from "../endpoints/own-headers.ts";
import { type EndpointSecret, secretOf } from "./signature.ts";

/** What an attempt needs of its endpoint. `isPaced`: it has a rate. `fields`: of the provider's format; null: ours. */
export type Signer = {
  url: string;
  fields: readonly string[] | null;
  headers: OwnHeaders;
  timeoutMs: number;
  isPaced: boolean;
  secrets: readonly EndpointSecret[];
};

/** The associated data of a sealed secret: copied into another endpoint's row, it cannot be decrypted. */
export const secretContext = (workspaceId: string, endpointId: string): string =>
  `webhook:${workspaceId}:${endpointId}`;

/** Endpoints whose decrypted secrets are kept in memory. */
const MOST_SIGNERS = 10_000;

/** URLs, settings and decrypted secrets of endpoints, read as the workspace's own role (the engine's may not read secrets) and cached. */
export class SigningSecrets {
  readonly #db: Database;
  readonly #secrets: Secrets;
  /** By endpoint id: what was read when the endpoint had `version` or a later one. */
  readonly #cached = new LRUCache<string, { version: number; signer: Promise<Signer | null> }>({
    ...atMost(MOST_SIGNERS),
  });
  /** By workspace id: the endpoints that its next query reads. */
  readonly #queries = new Map<string, { ids: string[]; rows: Promise<SealedSecrets[]> }>();
  #lastQuery: Promise<unknown> = Promise.resolve();

  constructor(db: Database, secrets: Secrets) {
    this.#db = db;
    this.#secrets = secrets;
  }

  /**
   * The signer of an endpoint as it is at `version` or later; null when it was deleted. `version` is the endpoint's, which each
   * attempt has just loaded and which grows with every change: a cached signer of an older one is read again, so a rotated
   * secret or a new URL holds from the next attempt on. Rejects when the database is away or a secret cannot be decrypted.
   */
  signerOf(workspaceId: string, endpointId: string, version: number): Promise<Signer | null> {
    const cached = this.#cached.get(endpointId);
    if (cached && cached.version >= version) return cached.signer;
    const signer = this.#read(workspaceId, endpointId);
    this.#cached.set(endpointId, { version, signer });
    signer.catch(() => {
      if (this.#cached.peek(endpointId)?.signer === signer) this.#cached.delete(endpointId);
    });
    return signer;
  }

  async #read(workspaceId: string, endpointId: string): Promise<Signer | null> {
    const row = await this.#sealed(workspaceId, endpointId);
    if (!row) return null;
    const context = secretContext(workspaceId, endpointId);
    const sealed = [{ secret: row.secret, until: null }, ...replacedSecrets(row)];
    const secrets = sealed.map(({ secret, until }) => ({
      ...secretOf(this.#secrets.open(secret, context).toString()),
      until,
    }));
    return {
      url: row.url,
      fields: row.fields,
      headers: openHeaders(this.#secrets, workspaceId, endpointId, row.sealed_headers),
      timeoutMs: row.timeout_seconds * 1_000,
      isPaced: row.rate_per_second !== null,
      secrets,
    };
  }

  // One query at a time, and the endpoints of a workspace that are asked for meanwhile in one: a process that has just taken
  // over a hundred of them leaves the connections to requests of clients.
  async #sealed(workspaceId: string, endpointId: string): Promise<SealedSecrets | undefined> {
    let query = this.#queries.get(workspaceId);
    if (!query) {
      const ids: string[] = [];
      const rows = this.#lastQuery.then(() => {
        this.#queries.delete(workspaceId);
        return this.#db.read(workspaceId, (sql) => selectEndpointSecretRows(sql, workspaceId, ids));
      });
      this.#lastQuery = rows.catch(() => {});
      query = { ids, rows };
      this.#queries.set(workspaceId, query);
    }
    query.ids.push(endpointId);
    return (await query.rows).find(({ id }) => id === endpointId);
  }
}
