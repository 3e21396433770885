import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../ctx.ts";
import { isLockTimeout, isOvertaken } from "../../db/connect.ts";
import { CommitUnknown, type Sql } from "../../db/database.ts";
import type { Activity } from "../activity.ts";
import { expiredKey, forgottenBefore, keyInProgress, type RequestKey, refuseUnlessReplayable } from "../idempotency.ts";
import type { Answer, AnyRoute, Input } from "../route.ts";
import type { WholeFile } from "../upload.ts";
import { activityRow } from "./audit-row.ts";
import { invite } from "./bodies/continue.ts";
import { inputOf, RequestContext, TransactionContext } from "./context.ts";
import type { ItemCheck } from "./each.ts";
import { claimKey, findKey, keepAnswer, type UsedKey } from "./idempotency/idempotency.store.ts";
import { readKey } from "./idempotency/request-key.ts";
import type { DatabaseTurns } from "./limits/database-turns.ts";
import { JSON_TYPE, render, type SerializedAnswer } from "./reply.ts";
import { drop, incomingOf } from "./uploads/incoming.ts";
import type { Uploads } from "./uploads/uploads.ts";

/** Of one transaction that others overtake. */
const MOST_TRIES = 3;

type WriteRow = Extract<AnyRoute, { kind: "write" }>;
type AnyUpload = NonNullable<WriteRow["upload"]>;
type Work = { key: RequestKey | null; input: Input<never, never, never>; found: unknown };

/** What the transaction did: it found the key used, or ran the verb. */
type Done = { key: RequestKey; used: UsedKey } | { answer: Answer<unknown>; outgoing: SerializedAnswer };

/**
 * Runs the verb of a `write` row in the one transaction that also holds its key, its kept answer and its audit row: all of it
 * or nothing. A known key is answered before the verb runs, so that no rule, version or state of today refuses a replay.
 */
export class WriteTransaction {
  readonly #app: App;
  readonly #activity: Activity;
  readonly #row: WriteRow;
  readonly #checkItems: ItemCheck | null;
  readonly #turns: DatabaseTurns;
  readonly #uploads: Uploads;

  constructor(
    { app, activity, turns, uploads }: { app: App; activity: Activity; turns: DatabaseTurns; uploads: Uploads },
    row: WriteRow,
    checkItems: ItemCheck | null,
  ) {
    this.#app = app;
    this.#turns = turns;
    this.#uploads = uploads;
    this.#activity = activity;
    this.#row = row;
    this.#checkItems = checkItems;
  }

  /** The answer of the verb, or the kept one of its key. Throws what the verb throws, and refusals of the key. The third: of a call. */
  async perform(
    request: FastifyRequest,
    reply: FastifyReply,
    { file: whole, fingerprint: body = request.body }: { file?: WholeFile | undefined; fingerprint?: unknown } = {},
  ): Promise<SerializedAnswer> {
    const { upload, shortSecret } = this.#row;
    if (upload !== undefined) return await this.#receive({ upload, whole }, request, reply);
    const key = readKey(request, { body, shortSecret });
    const input = inputOf(this.#row, request, this.#checkItems);
    let found: unknown;
    if (this.#row.before !== undefined) {
      if (key !== null) {
        const used = await this.#find(request, key);
        if (used !== null) return this.#replay(request, key, used);
      }
      found = await this.#row.before(new RequestContext(this.#app, request, reply), input);
    }
    const done = await this.#commit(request, reply, { key, input, found });
    if ("used" in done) return this.#replay(request, done.key, done.used);
    return this.#row.after === undefined ? done.outgoing : await this.#settle(request, reply, done);
  }

  /** The key belongs to the file's contents, so it is looked up when they are here. A file that no transaction keeps is discarded. */
  async #receive(
    { upload, whole }: { upload: AnyUpload; whole: WholeFile | undefined },
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<SerializedAnswer> {
    const early = readKey(request, { body: null }); // a malformed key is refused ahead of the upload
    const input = inputOf(this.#row, request);
    const context = new RequestContext(this.#app, request, reply);
    const isRepeated = async (): Promise<boolean> => early !== null && (await this.#find(request, early)) !== null;
    const watch: Uploads["watch"] = (raw, end) => this.#uploads.watch(raw, end);
    // What else a form of a call has is the call's matter.
    const parts = { ...upload, anyField: request.state.isPassing, whole };
    const file = { ...incomingOf(request.raw, parts, watch), isRepeated };
    const release = this.#uploads.begin(request.state.workspaceId);
    invite(reply.raw);
    const received = await upload
      .receive(context, input, file)
      .catch((error: unknown) => {
        drop(request.raw);
        throw error;
      })
      .finally(release);
    let done: Done;
    try {
      const key = readKey(request, { body: received.fingerprint });
      done = await this.#commit(request, reply, { key, input, found: received.found });
    } catch (error) {
      // After a lost commit the transaction may have kept it; if not, the sweep of files finds it.
      if (!(error instanceof CommitUnknown)) await received.discard();
      throw error;
    }
    if ("used" in done) {
      await received.discard();
      return this.#replay(request, done.key, done.used);
    }
    return this.#row.after === undefined ? done.outgoing : await this.#settle(request, reply, done);
  }

  /** Two that wait for each other, or meet a change of the same moment, are no matter of their callers: it is done once more. */
  async #commit(request: FastifyRequest, reply: FastifyReply, of: Work): Promise<Done> {
    for (let tries = 1; ; tries++)
      try {
        return await this.#turns.run(this.#row, request.state, () =>
          this.#app.db.transaction(
            request.state.workspaceId,
            (sql): Promise<Done> => this.#transact(sql, request, reply, of),
          ),
        );
      } catch (error) {
        if (!isOvertaken(error) || tries === MOST_TRIES) throw error;
      }
  }

  // Only saves the call of `before`: a request with the same key may commit meanwhile. The claim in the transaction decides.
  #find(request: FastifyRequest, key: RequestKey): Promise<UsedKey | null> {
    const { workspaceId, now } = request.state;
    return this.#app.db.read(workspaceId, (sql) => findKey(sql, workspaceId, key, forgottenBefore(key, now)));
  }

  async #transact(sql: Sql, request: FastifyRequest, reply: FastifyReply, of: Work): Promise<Done> {
    const { state } = request;
    const { key } = of;
    if (key !== null) {
      const used = await claim(sql, state.workspaceId, key, state.now);
      if (used !== null) return { key, used };
    }
    const answer = await this.#row.verb(new TransactionContext(this.#app, request, reply, sql), of.input, of.found);
    state.performed(answer.resource ?? null);
    const outgoing = render(this.#row, answer, reply);
    if (key !== null) {
      await keepAnswer(sql, state.workspaceId, key, {
        resourceId: answer.resource?.id ?? "",
        status: outgoing.status,
        // Encrypted because some answers hold a secret that is returned once.
        answer: this.#app.secrets.seal(outgoing.body ?? "", answerContext(state.workspaceId, key)),
        headers: outgoing.headers ?? {},
        contactIds: answer.contactIds ?? [],
        now: state.now,
      });
    }
    await this.#activity.record(sql, activityRow(request, outgoing.status, null, answer.changes));
    return { answer, outgoing };
  }

  /** Waits for what the commit set off, and answers the newer state. */
  async #settle(
    request: FastifyRequest,
    reply: FastifyReply,
    { answer, outgoing }: { answer: Answer<unknown>; outgoing: SerializedAnswer },
  ): Promise<SerializedAnswer> {
    const row = this.#row;
    try {
      const newer = await row.after?.(new RequestContext(this.#app, request, reply), answer);
      return newer === undefined ? outgoing : render(row, newer, reply);
    } catch (error) {
      // Committed: whatever failed afterwards, the first answer is true and a refusal would not be.
      const { requestId, workspaceId, resource } = request.state;
      this.#app.log.error(
        { err: error, request_id: requestId, workspace_id: workspaceId, resource_id: resource?.id, route: row.path },
        "a change was committed, but its newer state could not be read; the caller got the state at the commit",
      );
      return outgoing;
    }
  }

  #replay(request: FastifyRequest, key: RequestKey, used: UsedKey): SerializedAnswer {
    const { workspaceId, now, requestId } = request.state;
    const first = { at: used.created_at, resourceId: used.resource_id };
    refuseUnlessReplayable(first, used.fingerprint.toString("hex") === key.fingerprint, now);
    if (used.answer === null || used.status === null) throw expiredKey(first);
    let body: Buffer;
    try {
      body = this.#app.secrets.open(used.answer, answerContext(workspaceId, key));
    } catch (error) {
      this.#app.log.warn(
        { err: error, request_id: requestId, workspace_id: workspaceId, resource_id: used.resource_id || undefined },
        "the kept answer of an idempotency key cannot be decrypted; the request is refused as if the answer had expired",
      );
      throw expiredKey(first);
    }
    return {
      status: used.status,
      type: JSON_TYPE,
      body: used.status === 204 ? null : body,
      headers: used.headers ?? {},
      replayed: true,
    };
  }
}

async function claim(sql: Sql, workspaceId: string, key: RequestKey, now: number): Promise<UsedKey | null> {
  try {
    return await claimKey(sql, workspaceId, key, now, forgottenBefore(key, now));
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    throw keyInProgress(error);
  }
}

/** Binds the kept bytes to their row: a copy in another workspace or under another key does not open. */
const answerContext = (workspaceId: string, key: RequestKey): string => `idempotency:${workspaceId}:${key.digest}`;
