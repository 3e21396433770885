import type { FastifyRequest } from "fastify";
import type { App } from "../../../ctx.ts";
import { isLockTimeout } from "../../../db/connect.ts";
import { MINUTE_MS } from "../../../lib/duration.ts";
import type { Activity, Changes } from "../../activity.ts";
import type { CallAnswer, Make } from "../../call.ts";
import { expiredKey, KEY_KEPT_MS, keyInProgress, type RequestKey, refuseUnlessReplayable } from "../../idempotency.ts";
import { activityRow } from "../audit-row.ts";
import { claimKey, keepAnswer, releaseKey, type UsedKey } from "../idempotency/idempotency.store.ts";
import { readKey } from "../idempotency/request-key.ts";

type Parts = { app: App; activity: Activity };
type Change = {
  about: { resource: { type: string; id: string }; changes: Changes };
  make: Make;
  /** What stands for the body in the fingerprint of the key. */
  given: unknown;
};

/** The status of the row that is written ahead: what becomes of it is not known yet. */
const BEGUN = 202;
/** So long after its first request a key without an answer may still get one. */
const STILL_RUNNING_MS = MINUTE_MS;

/** As `CallCtx.change`: key and audit row are committed, then the change is made, then its answer is kept. */
export async function changeElsewhere(
  parts: Parts,
  request: FastifyRequest,
  { about, make, given }: Change,
): Promise<CallAnswer> {
  const { app, activity } = parts;
  const { workspaceId, now } = request.state;
  const key = readKey(request, { body: given });
  request.state.performed(about.resource);
  const used = await app.db.transaction(workspaceId, async (sql) => {
    const found =
      key === null ? null : await claimKey(sql, workspaceId, key, now, now - KEY_KEPT_MS).catch(refuseWhileLocked);
    if (found === null) await activity.record(sql, activityRow(request, BEGUN, null, about.changes));
    return found;
  });
  if (used !== null && key !== null) return replay(parts, request, key, used);
  const made = await make();
  if (key !== null) await settleKey(parts, request, key, made);
  if ("problem" in made) throw made.problem;
  return made.answer;
}

function refuseWhileLocked(error: unknown): never {
  throw isLockTimeout(error) ? keyInProgress(error) : error;
}

/** What was made stays made: where the key cannot be settled, its next request is refused and makes nothing. */
async function settleKey(
  { app }: Parts,
  request: FastifyRequest,
  key: RequestKey,
  made: Awaited<ReturnType<Make>>,
): Promise<void> {
  const { workspaceId, now, requestId, resource } = request.state;
  // Not known, or not to be returned: the key stays without an answer.
  if (!made.isNothingDone && "problem" in made) return;
  try {
    await app.db.transaction(workspaceId, async (sql) => {
      if ("problem" in made || made.isNothingDone) return await releaseKey(sql, workspaceId, key);
      const { body, status = 200 } = made.answer;
      const answer = app.secrets.seal(JSON.stringify(body), contextOf(workspaceId, key));
      const contactIds = await made.contacts(sql);
      const kept = { resourceId: resource?.id ?? "", status, answer, headers: {}, contactIds, now };
      return await keepAnswer(sql, workspaceId, key, kept);
    });
  } catch (error) {
    app.log.error(
      { err: error, request_id: requestId, workspace_id: workspaceId, resource_id: resource?.id },
      "a call was passed on, but the outcome of its idempotency key could not be stored; the key is refused from now on",
    );
  }
}

function replay({ app }: Parts, request: FastifyRequest, key: RequestKey, used: UsedKey): CallAnswer {
  const { workspaceId, now, requestId } = request.state;
  const first = { at: used.created_at, resourceId: used.resource_id };
  refuseUnlessReplayable(first, used.fingerprint.toString("hex") === key.fingerprint, now);
  if (used.answer === null || used.status === null) {
    const mayStillRun = now - first.at.getTime() < STILL_RUNNING_MS;
    throw mayStillRun ? keyInProgress(undefined) : expiredKey(first);
  }
  try {
    const body = JSON.parse(app.secrets.open(used.answer, contextOf(workspaceId, key)).toString()) as object; // as kept above
    return { status: used.status, body, replayed: true };
  } catch (error) {
    app.log.warn(
      { err: error, request_id: requestId, workspace_id: workspaceId },
      "the kept answer of an idempotency key cannot be decrypted; the request is refused as if the answer had expired",
    );
    throw expiredKey(first);
  }
}

/** As for a write: the same key of a row of ours opens it too, and its fingerprint does not fit. */
const contextOf = (workspaceId: string, key: RequestKey): string => `idempotency:${workspaceId}:${key.digest}`;
