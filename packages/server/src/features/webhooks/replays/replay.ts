import type { Ctx, TxCtx } from "../../../ctx.ts";
import { uuidOfPath } from "../../../http/ids.ts";
import { invalidAt, notFound, Problem } from "../../../http/problem.ts";
import type { Answer } from "../../../http/route.ts";
import { timeOf } from "../../../http/timestamps.ts";
import { DAY_MS } from "../../../lib/duration.ts";
import { formatId, newUuid, uuidBefore, uuidFloor } from "../../../lib/ids.ts";
import { countActiveLocked } from "../../tasks/long-task.sql.ts";
import { enqueueTask, hintTasks } from "../../tasks/task.ts";
import type { EndpointRow } from "../endpoints/endpoint.store.ts";
import { requireEndpoint } from "../endpoints/endpoint.ts";
import { insertReplayRow, REPLAYS, type ReplayRow, selectReplayRow } from "./replay.store.ts";
import type { NewReplay, Replay } from "./schema.ts";

/** The task that works a replay. */
export const REPLAY_TASK = "webhooks.replay";
/** Replays of a workspace that have not ended. */
const MOST_ACTIVE = 20;
/** Events are replayed as long as they are kept, and so long at most. */
export const LONGEST_DAYS = 30;

/**
 * Stores a replay, with the task that works it. 404 for an unknown endpoint, 409 for a disabled one, 429 beside `MOST_ACTIVE` of them. What
 * the range has of before `LONGEST_DAYS` is left out.
 */
export async function createReplay(
  ctx: TxCtx,
  { params, body }: { params: { id: string }; body: NewReplay },
): Promise<Answer<Replay>> {
  const { sql, workspaceId, now, config } = ctx;
  const endpoint = await requireEndpoint(ctx, params.id);
  const isDryRun = body.dry_run ?? false;
  if (!endpoint.enabled && !isDryRun)
    throw new Problem("conflict", "The endpoint is disabled; enable it to replay events to it.");
  if (body.only === "missing" && isLimited(endpoint))
    throw invalidAt(
      "/only",
      "An endpoint with `phone_number_ids` or `business_account_ids` gets again only what it was sent before.",
    );
  const after = timeOf(body.created_after, "/created_after");
  const before =
    body.created_before === undefined ? now : Math.min(now, timeOf(body.created_before, "/created_before"));
  if (after >= before) throw invalidAt("/created_after", "It must be before `created_before`, and in the past.");
  if ((await countActiveLocked(sql, REPLAYS, workspaceId)) >= MOST_ACTIVE)
    throw new Problem("rate_limited", `${MOST_ACTIVE} replays have not ended: wait for one.`, {
      retryAfterSeconds: 60,
    });
  const { events, deliveries } = config.RETENTION_DAYS;
  const oldest = now - Math.min(LONGEST_DAYS, events, deliveries) * DAY_MS;
  const [id, taskId] = [newUuid(now), newUuid(now)];
  await insertReplayRow(sql, workspaceId, {
    id,
    webhook_endpoint_id: endpoint.id,
    created_after: new Date(after),
    created_before: new Date(before),
    events: body.events === undefined || isAllOf(endpoint, body.events) ? endpoint.events : body.events,
    only_those: body.only ?? "failed",
    dry_run: isDryRun,
    place: uuidBefore(uuidFloor(Math.max(after + 1, oldest))),
    job_id: taskId,
    created_at: new Date(now),
  });
  await enqueueTask(sql, workspaceId, {
    kind: REPLAY_TASK,
    payload: { replay_id: id },
    now,
    id: taskId,
    isLong: true,
  });
  const answer = await answerOf(ctx, id, endpoint.id);
  return {
    ...answer,
    headers: { location: `/v1/webhook-endpoints/${params.id}/replays/${answer.body.id}` },
    changes: { only: answer.body.only, dry_run: isDryRun, created_after: body.created_after },
  };
}

/** In the provider's format an endpoint has kinds that cannot be named: all are those. */
const isAllOf = ({ fields }: Pick<EndpointRow, "fields">, events: readonly string[]): boolean =>
  fields !== null && events.includes("*");

/** Whether an endpoint gets events of some numbers or accounts alone. */
export const isLimited = (endpoint: Pick<EndpointRow, "phone_number_ids" | "business_account_ids">): boolean =>
  endpoint.phone_number_ids !== null || endpoint.business_account_ids !== null;

/** The `after` of `createReplay`: the owner of the task can begin. */
export function startReplay(ctx: Ctx, answer: Answer<Replay>): Promise<Answer<Replay>> {
  hintTasks(ctx.notifier, ctx.workspaceId);
  return Promise.resolve(answer);
}

/** A replay of an endpoint, also of one that was deleted, which a limited key does not see; 404 when the endpoint has none of this id. */
export async function getReplay(
  ctx: TxCtx,
  { params }: { params: { id: string; replay_id: string } },
): Promise<Answer<Replay>> {
  const id = uuidOfPath("rpl", params.replay_id);
  if (ctx.actor.phoneNumberIds !== null) await requireEndpoint(ctx, params.id);
  return await answerOf(ctx, id, uuidOfPath("whe", params.id));
}

async function answerOf(
  { sql, workspaceId }: Pick<TxCtx, "sql" | "workspaceId">,
  id: string,
  endpointId: string,
): Promise<Answer<Replay>> {
  const row = await selectReplayRow(sql, workspaceId, id);
  if (row?.webhook_endpoint_id !== endpointId) throw notFound();
  const body = renderReplay(row);
  return { body, resource: { type: "replay", id: body.id } };
}

const renderReplay = (row: ReplayRow): Replay => ({
  id: formatId("rpl", row.id),
  webhook_endpoint_id: formatId("whe", row.webhook_endpoint_id),
  created_after: row.created_after.toISOString(),
  created_before: row.created_before.toISOString(),
  events: row.events,
  only: row.only_those,
  dry_run: row.dry_run,
  status: row.status,
  progress: { matched: row.matched, scheduled: row.scheduled, succeeded: row.succeeded, failed: row.failed },
  error: row.error,
  created_at: row.created_at.toISOString(),
  completed_at: row.completed_at?.toISOString() ?? null,
});
