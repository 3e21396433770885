import { hash } from "node:crypto";
import type { Actor, App } from "../../ctx.ts";
import { type Caller, OPERATOR } from "../../http/caller.ts";
import { type SessionKeys, sameText } from "../../http/credentials.ts";
import { Problem } from "../../http/problem.ts";
import { DAY_MS, HOUR_MS } from "../../lib/duration.ts";
import { readPlacedSecret, type SecretPlace } from "../../lib/placed-secret.ts";
import { TtlCache } from "../../lib/ttl-cache.ts";
import { type BrowserHead, cookieOf, isFromConsole, placeOf } from "./place.ts";
import { type SessionRow, selectSessionRow, selectWorkspaceName, updateSessionRowSeen } from "./store.ts";

/** How long a session lives without a request, and at most: the operator's rights are far larger. */
export const LIVES = {
  workspace: { idleMs: 12 * HOUR_MS, mostMs: 7 * DAY_MS },
  operator: { idleMs: HOUR_MS, mostMs: 12 * HOUR_MS },
} as const;

/** The end of a session or of its key holds everywhere within 5 s: this, and a second for the request in progress. */
const TRUSTED_MS = 4_000;
const MOST_SESSIONS = 5_000;
/** `seen_at` is written once in this time. */
const SEEN_EVERY_MS = 60_000;

/** A session as it was last read. */
export type Session = {
  place: SecretPlace;
  kind: "workspace" | "operator";
  /** The key's workspace, or the one that the operator has entered; null before that. */
  workspace: { id: string; name: string } | null;
  key: (Pick<Actor, "scopes" | "phoneNumberIds"> & { id: string; name: string }) | null;
  operatorDigest: string | null;
  /** Milliseconds; of the session itself and of its key, whichever is first. */
  expiresAt: number;
  /** Milliseconds: its last request that is known here. */
  seenAt: number;
};

/** Sessions of the console: found by the cookie, from memory for some seconds. */
export class Sessions implements SessionKeys {
  readonly #app: App;
  /** By place and digest. */
  readonly #found: TtlCache<string, Session | null>;

  constructor(app: App) {
    this.#app = app;
    this.#found = new TtlCache<string, Session | null>({
      load: async (key) => {
        const [workspaceId = "", id = "", digest = ""] = key.split(" ");
        return await this.#load({ workspaceId, id, digest });
      },
      most: MOST_SESSIONS,
      maxAgeMs: TRUSTED_MS,
      monotonic: () => app.clock.monotonic(),
    });
  }

  read(head: BrowserHead): string | null {
    if (head.headers["authorization"] !== undefined || head.headers["cookie"] === undefined) return null;
    const place = placeOf(head, this.#app.config);
    return place !== null && isFromConsole(head, place) ? cookieOf(head, place) : null;
  }

  isUnproven(head: BrowserHead): boolean {
    if (head.headers["authorization"] !== undefined) return false;
    const place = placeOf(head, this.#app.config);
    return place !== null && cookieOf(head, place) !== null && !isFromConsole(head, place);
  }

  async find(value: string, auth: "workspace" | "operator"): Promise<Caller | null> {
    const session = await this.get(value);
    if (session === null) return null;
    const { key, workspace, place } = session;
    const used = (): void => this.used(session);
    if (key !== null) {
      if (auth === "operator" || workspace === null) return null;
      return { workspaceId: workspace.id, actor: { type: "api_key", ...key, session: place.id }, used };
    }
    const actor = { ...OPERATOR.actor, session: place.id };
    if (auth === "operator") return { ...OPERATOR, actor, used };
    if (workspace !== null) return { workspaceId: workspace.id, actor: { ...actor, scopes: ["*"] }, used };
    return { ...OPERATOR, actor, used, refusal: new Problem("forbidden", "The operator has entered no workspace.") };
  }

  /** The session of a cookie's value; null when there is none, or it has ended. */
  async get(value: string): Promise<Session | null> {
    const place = readPlacedSecret(value);
    if (place === null) return null;
    const session = await this.#found.get(keyOf(place));
    return session !== null && this.#isLive(session, this.#app.clock.now()) ? session : null;
  }

  /** A person has used it: the time after which it ends without use begins again. */
  used(session: Session): void {
    const now = this.#app.clock.now();
    if (now - session.seenAt >= SEEN_EVERY_MS) this.#seen(session, now);
  }

  /** It has changed here. */
  forget(place: SecretPlace): void {
    this.#found.forget(keyOf(place));
  }

  #isLive({ kind, expiresAt, seenAt, operatorDigest }: Session, now: number): boolean {
    if (now >= expiresAt || now - seenAt >= LIVES[kind].idleMs) return false;
    return operatorDigest === null || operatorDigest === digestOfOperator(this.#app);
  }

  #seen(session: Session, now: number): void {
    const before = session.seenAt;
    session.seenAt = now;
    const { workspaceId, id } = session.place;
    this.#app.db
      .transaction(workspaceId, (sql) => updateSessionRowSeen(sql, workspaceId, id, now))
      .catch((err: unknown) => {
        session.seenAt = before; // the next request writes it
        this.#app.log.debug({ err }, "the last use of a session could not be written");
      });
  }

  async #load(place: SecretPlace): Promise<Session | null> {
    const { db } = this.#app;
    const row = await db.read(place.workspaceId, (sql) => selectSessionRow(sql, place));
    if (row === null) return null;
    const { api_key_id, operator_digest, entered_id, expires_at, seen_at } = row;
    const times = { expiresAt: expires_at.getTime(), seenAt: seen_at.getTime() };
    if (api_key_id !== null) return ofKey(place, row, times);
    const entered = entered_id && (await db.read(entered_id, (sql) => selectWorkspaceName(sql, entered_id)));
    const workspace = entered ? { id: entered_id, name: entered.name } : null;
    const operatorDigest = operator_digest?.toString("hex") ?? "";
    return { place, kind: "operator", workspace, key: null, operatorDigest, ...times };
  }
}

function ofKey(place: SecretPlace, row: SessionRow, times: { expiresAt: number; seenAt: number }): Session | null {
  if (!row.is_key_live || row.workspace_status !== "active") return null;
  const { api_key_id: id, key_name: name, key_scopes: scopes, key_numbers: phoneNumberIds, workspace_name } = row;
  if (id === null || name === null || scopes === null || workspace_name === null) return null;
  const workspace = { id: place.workspaceId, name: workspace_name };
  const expiresAt = Math.min(times.expiresAt, row.key_expires_at?.getTime() ?? Number.POSITIVE_INFINITY);
  return {
    place,
    kind: "workspace",
    workspace,
    key: { id, name, scopes, phoneNumberIds },
    operatorDigest: null,
    ...times,
    expiresAt,
  };
}

const keyOf = ({ workspaceId, id, digest }: SecretPlace): string => `${workspaceId} ${id} ${digest}`;

/** SHA-256 of the operator key of this process; null when it has none. */
export const digestOfOperator = ({ config: { WAYPOST_OPERATOR_KEY: key } }: Pick<App, "config">): string | null =>
  key === null ? null : hash("sha256", key, "hex");

export const isOperatorKey = ({ config: { WAYPOST_OPERATOR_KEY: key } }: Pick<App, "config">, text: string): boolean =>
  key !== null && sameText(text, key);
