import type { FastifyReply, FastifyRequest } from "fastify";
import type { App } from "../../ctx.ts";
import { isLockTimeout } from "../../db/connect.ts";
import type { Sql } from "../../db/database.ts";
import { causeFields } from "../../lib/error-fields.ts";
import type { Activity } from "../activity.ts";
import { Problem } from "../problem.ts";
import type { Answer, AnyRoute, RequestKey } from "../route.ts";
import { inputOf, RequestContext, TransactionContext } from "./context.ts";
import { claimKey, findKey, keepAnswer, type UsedKey } from "./idempotency.store.ts";
import { render, type Serialize } from "./render.ts";
import { JSON_TYPE, type Outgoing } from "./reply.ts";
import { activityRow } from "./state.ts";

const DAY_MS = 86_400_000;
/** A first answer is given again for this long: a weekend's outage of the caller, twice over. */
const ANSWER_KEPT_MS = 7 * DAY_MS;
/** Until then the key is remembered and refused; after it, it is new. */
const KEY_KEPT_MS = 30 * DAY_MS;

type WriteRoute = Extract<AnyRoute, { kind: "write" }>;
type Write = (
  request: FastifyRequest,
  reply: FastifyReply,
  key: RequestKey | null,
  serialize: Serialize,
) => Promise<Outgoing>;

/**
 * Runs a verb in the one transaction that also holds its key, its kept answer and its audit row: all of it or nothing.
 * A known key is answered before the verb is asked, so that no rule, version or state of today refuses a replay.
 */
export function createWrite(app: App, activity: Activity, row: WriteRoute): Write {
  return async (request, reply, key, serialize) => {
    const { exchange } = request;
    const { workspaceId } = exchange;
    const input = inputOf(row, request);
    let found: unknown;
    if (row.before !== undefined) {
      const used = key === null ? null : await known(app, workspaceId, key, exchange.now);
      if (used !== null) return replay(app, request, key, used);
      found = await row.before(new RequestContext(app, request, reply), input);
    }

    const done = await app.db.transaction(workspaceId, async (sql) => {
      const used = key === null ? null : await claim(sql, workspaceId, key, exchange.now);
      if (used !== null) return { used };
      const answer = await row.verb(new TransactionContext(app, request, reply, sql), input, found);
      exchange.resource = answer.resource ?? null;
      const outgoing = render(row, answer, serialize);
      if (key !== null) await keep(app, sql, workspaceId, key, answer, outgoing);
      await activity.record(sql, activityRow(request, outgoing.status, null, answer.changes));
      return { answer, outgoing };
    });
    if ("used" in done) return replay(app, request, key, done.used);
    if (row.after === undefined) return done.outgoing;
    try {
      return render(row, await row.after(new RequestContext(app, request, reply), done.answer), serialize);
    } catch (error) {
      // It is committed: whatever went wrong afterwards, the first answer is true and a refusal would not be.
      app.log.error({ request_id: exchange.requestId, route: row.path, cause: causeFields(error) }, "after commit");
      return done.outgoing;
    }
  };
}

// Only the transaction's own claim decides: a twin may commit while the network is asked.
const known = (app: App, workspaceId: string, key: RequestKey, now: number): Promise<UsedKey | null> =>
  app.db.read(workspaceId, (sql) => findKey(sql, workspaceId, key, now - KEY_KEPT_MS));

async function claim(sql: Sql, workspaceId: string, key: RequestKey, now: number): Promise<UsedKey | null> {
  try {
    return await claimKey(sql, workspaceId, key, now, now - KEY_KEPT_MS);
  } catch (error) {
    if (!isLockTimeout(error)) throw error;
    throw new Problem("idempotency_in_progress", "The first request with this key is still running.", {
      retryAfterSeconds: 1,
    });
  }
}

/** Binds the kept bytes to their row: a copy into another workspace or under another key does not open. */
export const answerContext = (workspaceId: string, key: RequestKey): string =>
  `idempotency:${workspaceId}:${key.digest}`;

async function keep(
  app: App,
  sql: Sql,
  workspaceId: string,
  key: RequestKey,
  answer: Answer<unknown>,
  outgoing: Outgoing,
): Promise<void> {
  await keepAnswer(sql, workspaceId, key, {
    resourceId: answer.resource?.id ?? "",
    status: outgoing.status,
    // Encrypted because some answers hold a secret that is shown once.
    answer: app.secrets.seal(outgoing.body ?? "", answerContext(workspaceId, key)),
    headers: outgoing.headers ?? {},
  });
}

function replay(app: App, request: FastifyRequest, key: RequestKey | null, used: UsedKey): Outgoing {
  const { exchange } = request;
  const first = used.created_at.toISOString();
  const extras = used.resource_id === "" ? {} : { resourceId: used.resource_id };
  if (used.fingerprint.toString("hex") !== key?.fingerprint) {
    throw new Problem(
      "idempotency_key_reused",
      `This key was first used at ${first} for a request that differs.`,
      extras,
    );
  }
  const expired = (): Problem =>
    new Problem("idempotency_key_expired", `This key was used at ${first}; its answer is no longer kept.`, extras);
  if (used.answer === null || used.status === null || exchange.now - used.created_at.getTime() >= ANSWER_KEPT_MS)
    throw expired();
  let body: Buffer;
  try {
    body = app.secrets.open(used.answer, answerContext(exchange.workspaceId, key));
  } catch (error) {
    app.log.warn({ request_id: exchange.requestId, cause: causeFields(error) }, "kept answer does not open");
    throw expired();
  }
  return {
    status: used.status,
    type: JSON_TYPE,
    body: used.status === 204 ? null : body,
    headers: used.headers ?? {},
    replayed: true,
  };
}
