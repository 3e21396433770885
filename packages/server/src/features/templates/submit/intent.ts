import { createHash } from "node:crypto";
import type { Ctx } from "../../../ctx.ts";
import type { Sql } from "../../../db/database.ts";
import { Problem } from "../../../http/problem.ts";
import { pause } from "../../../lib/clock.ts";
import { enqueueTask, hintTasks } from "../../tasks/task.ts";
import {
  claimSubmissionRow,
  deleteSubmissionRow,
  type Operation,
  selectSubmissionRow,
  type TemplateKey,
  updateSubmissionRowReleased,
} from "./intent.store.ts";

/** The kind of the task that settles what no request has. */
export const SETTLE = "template.settle";
export type SettlePayload = { business_account_id: string; name: string; language: string };

/**
 * What is done to a template at the provider, committed before the first byte leaves. It is held by its request until its lease ends
 * or it is released, and is deleted with the outcome.
 */
export type Intent = TemplateKey & {
  attempt: number;
  /** The same was begun before, and its outcome may not be known: look at the provider before asking it again. */
  isRepeat: boolean;
  /** Something else was begun before, whose outcome may not be known either. */
  tookOver: boolean;
  /** Provider's id of the template that had the name before all of this. */
  before: string | null;
};

/** Longer than all calls of a request together. */
const LEASE_MS = 60_000;
/** How long a request waits for another one that does something to the same template. */
const WAIT_MS = 10_000;
const LOOK_EVERY_MS = 100;

export type NewIntent = TemplateKey & {
  operation: Operation;
  /** Whatever makes two requests the same. */
  definition: unknown;
  /** In the transaction that begins the intent: throws what forbids it, answers the provider's id that the name has now. */
  check(sql: Sql): Promise<string | null>;
};

/** Commits the intent. While another request is at work on the template it waits, and throws 409 `conflict` when that takes too long. */
export async function beginIntent(ctx: Ctx, { operation, definition, check, ...key }: NewIntent): Promise<Intent> {
  const { workspaceId, db, clock } = ctx;
  const digest = createHash("sha256")
    .update(JSON.stringify([operation, definition]))
    .digest();
  const deadline = clock.monotonic() + WAIT_MS;
  let hasTwin = false;
  /** The template of the name when this request came; undefined: it was not looked yet. */
  let atFirst: string | null | undefined;
  for (;;) {
    const { claimed, found, other } = await db.transaction(workspaceId, async (sql) => {
      const providerTemplateId = await check(sql);
      const now = clock.now();
      const lease = { now: new Date(now), leaseUntil: new Date(now + LEASE_MS) };
      const row = await claimSubmissionRow(sql, workspaceId, key, { operation, digest, providerTemplateId, ...lease });
      if (row) await enqueueSettling(sql, workspaceId, key, now);
      // The claim has locked it. After this transaction it may end, and nothing would tell whether it was a twin.
      const held = row ? null : await selectSubmissionRow(sql, workspaceId, key);
      return { claimed: row, found: providerTemplateId, other: held };
    });
    atFirst = atFirst === undefined ? found : atFirst;
    if (claimed) {
      hintTasks(ctx.notifier, workspaceId);
      const { attempt, is_repeat: isRepeat, provider_template_id: before } = claimed;
      const tookOver = attempt > 1;
      // What a twin that has ended meanwhile has made of the name is the result of this request too.
      if (hasTwin && !isRepeat) return { ...key, attempt, isRepeat: true, tookOver, before: atFirst };
      return { ...key, attempt, isRepeat, tookOver, before };
    }
    hasTwin ||= other?.digest.equals(digest) ?? false;
    if (clock.monotonic() >= deadline || ctx.signal.aborted)
      throw new Problem(
        "conflict",
        "Another request is changing this template at the provider. Repeat this one in a minute.",
      );
    await pause(clock, LOOK_EVERY_MS, ctx.signal);
  }
}

async function enqueueSettling(sql: Sql, workspaceId: string, key: TemplateKey, now: number): Promise<void> {
  const { businessAccountId, name, language } = key;
  const payload: SettlePayload = { business_account_id: businessAccountId, name, language };
  await enqueueTask(sql, workspaceId, {
    kind: SETTLE,
    subject: `${businessAccountId} ${name} ${language}`,
    payload,
    now,
    accountId: businessAccountId,
  });
}

/** Leaves it to the next request and to the task. */
export const releaseIntent = (ctx: Ctx, intent: Intent): Promise<void> => release(ctx, intent, {});

/** This request has done nothing at the provider. What an earlier one has left open is still to be settled, and no client repeats this one. */
export async function dropIntent(ctx: Ctx, intent: Intent): Promise<void> {
  if (intent.tookOver) return await release(ctx, intent, { digest: NO_REQUEST });
  const { db, workspaceId } = ctx;
  await db.transaction(workspaceId, (sql) => deleteSubmissionRow(sql, workspaceId, intent, intent.attempt));
}

const NO_REQUEST = createHash("sha256").digest();

async function release(
  { db, clock, workspaceId }: Ctx,
  intent: Intent,
  { digest = null }: { digest?: Buffer | null },
): Promise<void> {
  const { attempt } = intent;
  await db.transaction(workspaceId, (sql) =>
    updateSubmissionRowReleased(sql, workspaceId, intent, { attempt, now: new Date(clock.now()), digest }),
  );
}
