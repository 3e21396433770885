import type { App } from "../../ctx.ts";
import type { Sql } from "../../db/database.ts";
import type { Activity, ActivityRow } from "../../http/activity.ts";
import { ANONYMOUS, type Caller, OPERATOR } from "../../http/caller.ts";
import { notFound, Problem } from "../../http/problem.ts";
import type { RawRequest } from "../../http/route.ts";
import { formatId, NIL_WORKSPACE, newUuid } from "../../lib/ids.ts";
import { newPlacedSecret } from "../../lib/placed-secret.ts";
import type { Authenticator } from "../keys/authenticate.ts";
import { limitedDigest } from "../keys/key-format.ts";
import type { OneTimeCodes } from "./one-time-codes.ts";
import { digestOfOperator, isOperatorKey, LIVES, type Session, type Sessions } from "./sessions.ts";
import {
  deleteSessionRowsBeyond,
  insertSessionRow,
  type NewSession,
  selectWorkspaceName,
  updateSessionRowEnded,
} from "./store.ts";

/** Sessions kept of a workspace, or of the operator, ended ones too: a program that signs in again and again fills no table. */
const MOST_KEPT = 1_000;

export type SignInDeps = {
  sessions: Sessions;
  authenticator: Authenticator;
  activity: Activity;
  /** Null: the process makes none. */
  codes: OneTimeCodes | null;
};

/** What begins a session: an API key, the operator's key, or a code that was made for one. */
export type Given = { key: string } | { code: string };

/** A session that was just begun, with the value of its cookie and how long it lives at most. */
export type Begun = { value: string; seconds: number };

/** Begins and ends sessions; each change with its row of the audit log in one transaction. */
export class SignIn {
  readonly #app: App;
  readonly #deps: SignInDeps;

  constructor(app: App, deps: SignInDeps) {
    this.#app = app;
    this.#deps = deps;
  }

  /** Throws the refusal of what is no valid key or code. */
  async begin(given: Given, request: RawRequest): Promise<Begun> {
    const caller = await this.#callerOf(given);
    if (caller === null) throw this.#refuse(given, request);
    if (caller.refusal !== undefined) throw caller.refusal;
    const { workspaceId, actor } = caller;
    const { mostMs } = actor.type === "operator" ? LIVES.operator : LIVES.workspace;
    const of = { workspaceId, apiKeyId: actor.id, isLimited: actor.phoneNumberIds !== null, enteredId: null, mostMs };
    return await this.#store(of, request, async (sql, id) => {
      await deleteSessionRowsBeyond(sql, workspaceId, MOST_KEPT);
      const row = { workspaceId, actor: { ...actor, session: id }, action: "session.create", status: 200 };
      await this.#record(sql, row, id, request);
    });
  }

  /** Ends a session; one that has ended stays so. */
  async end(session: Session, request: RawRequest): Promise<void> {
    const { place } = session;
    await this.#app.db.transaction(place.workspaceId, async (sql) => {
      if (!(await updateSessionRowEnded(sql, place, this.#app.clock.now()))) return;
      await this.#record(
        sql,
        { ...this.#callerOfSession(session), action: "session.end", status: 204 },
        place.id,
        request,
      );
    });
    this.#deps.sessions.forget(place);
  }

  /**
   * The operator's session enters a workspace, or leaves it (null): another session with another cookie takes its place, so that every
   * process knows it at once, and ends when the first would have.
   */
  async enter(session: Session, workspaceId: string | null, request: RawRequest): Promise<Begun> {
    const { db, clock } = this.#app;
    if (workspaceId !== null) {
      const found = await db.read(workspaceId, (sql) => selectWorkspaceName(sql, workspaceId));
      if (found === null) throw notFound();
    }
    const mostMs = session.expiresAt - clock.now();
    const next = { workspaceId: NIL_WORKSPACE, apiKeyId: null, isLimited: false, enteredId: workspaceId, mostMs };
    const begun = await this.#store(next, request, async (sql, id) => {
      if (!(await updateSessionRowEnded(sql, session.place, clock.now())))
        throw new Problem("unauthorized", "This session has ended: sign in again.");
      const action = workspaceId === null ? "session.leave" : "session.enter";
      const actor = { ...OPERATOR.actor, session: id };
      const of = workspaceId ?? session.workspace?.id;
      const resource = of === undefined ? null : { type: "workspace", id: formatId("ws", of) };
      await this.#record(sql, { ...OPERATOR, actor, action, status: 204 }, id, request, resource);
    });
    this.#deps.sessions.forget(session.place);
    return begun;
  }

  async #callerOf(given: Given): Promise<Caller | null> {
    if ("code" in given) return this.#deps.codes?.take(given.code) ?? null;
    if (isOperatorKey(this.#app, given.key)) return OPERATOR;
    return await this.#deps.authenticator.authenticate(given.key);
  }

  #refuse(given: Given, request: RawRequest): Problem {
    const tooMany = request.refused();
    if (tooMany !== null) return tooMany;
    const what = "code" in given ? "This link was used before, or is older than ten minutes." : "This is no valid key.";
    const problem = new Problem(
      "unauthorized",
      `${what} Sign in with an API key of a workspace, or the operator's key.`,
    );
    const row = { workspaceId: NIL_WORKSPACE, actor: ANONYMOUS, action: "session.create", status: problem.status };
    this.#deps.activity.later({
      ...this.#row(row, null, request),
      response: { status: row.status, code: problem.code },
    });
    return problem;
  }

  async #store(
    of: Pick<NewSession, "workspaceId" | "apiKeyId" | "enteredId"> & { isLimited: boolean; mostMs: number },
    { audit: { ip, userAgent } }: RawRequest,
    also: (sql: Sql, id: string) => Promise<void>,
  ): Promise<Begun> {
    const now = this.#app.clock.now();
    const id = newUuid(now);
    const { workspaceId, apiKeyId, isLimited, enteredId, mostMs } = of;
    const { value, digest } = newPlacedSecret(workspaceId, id);
    const operatorDigest = apiKeyId === null ? digestOfOperator(this.#app) : null;
    const stored = isLimited ? limitedDigest(digest) : digest;
    const session = { workspaceId, id, digest: stored, apiKeyId, operatorDigest, enteredId, now, ip, userAgent };
    await this.#app.db.transaction(workspaceId, async (sql) => {
      await also(sql, id);
      await insertSessionRow(sql, { ...session, expiresAt: now + mostMs });
    });
    return { value, seconds: Math.ceil(mostMs / 1_000) };
  }

  #callerOfSession({ key, workspace, place }: Session): Caller {
    if (key === null || workspace === null) return { ...OPERATOR, actor: { ...OPERATOR.actor, session: place.id } };
    return { workspaceId: workspace.id, actor: { type: "api_key", ...key, session: place.id } };
  }

  #record(
    sql: Sql,
    of: Caller & { action: string; status: number },
    id: string,
    request: RawRequest,
    resource: ActivityRow["resource"] = null,
  ): Promise<void> {
    return this.#deps.activity.record(
      sql,
      this.#row(of, resource ?? { type: "session", id: formatId("ses", id) }, request),
    );
  }

  #row(
    { workspaceId, actor, action, status }: Caller & { action: string; status: number },
    resource: ActivityRow["resource"],
    { audit: { method, path, ip, userAgent }, requestId }: RawRequest,
  ): ActivityRow {
    const at = this.#app.clock.now();
    const request = { method, path, request_id: requestId, ip, user_agent: userAgent };
    return { workspaceId, at, actor, action, resource, request, response: { status, code: null }, changes: null };
  }
}
