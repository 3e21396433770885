import type { Ctx, TxCtx } from "../../../ctx.ts";
import type { Sql } from "../../../db/database.ts";
import type { Changes } from "../../../http/activity.ts";
import { type ById, uuidOfPath } from "../../../http/ids.ts";
import { type Page, type PageQuery, page, pageRequest } from "../../../http/pagination.ts";
import { invalidAt, notFound, Problem } from "../../../http/problem.ts";
import type { Answer } from "../../../http/route.ts";
import { newUuid } from "../../../lib/ids.ts";
import { enqueueTask, hintTasks } from "../../tasks/task.ts";
import { renderSignup } from "./render.ts";
import { NEW_CODE } from "./run.ts";
import type { SignupRunner } from "./runner.ts";
import type { EmbeddedSignup, NewEmbeddedSignup, SignupResume } from "./schema.ts";
import { sealOf } from "./secrets.ts";
import {
  insertSignupRow,
  lockSignupRow,
  type SecretSignupRow,
  type SignupRow,
  selectSignupRow,
  selectSignupRows,
  updateSignupRow,
} from "./signup.store.ts";
import { SIGNUP, type SignupPayload } from "./task.ts";
import { GIVEN_UP_AFTER_MS, SIGNUP_TRIED_MS } from "./times.ts";

/**
 * The `before` of both calls. Throws where the gateway has no app, and where a code would have to wait for its exchange: it would
 * be dead by then, and can be sent again when it is refused.
 */
export function requireStart(ctx: Ctx, runner: SignupRunner): Promise<void> {
  const { PROVIDER_APP_ID: id, PROVIDER_APP_SECRET: secrets } = ctx.config;
  const missing = [...(id === null ? ["PROVIDER_APP_ID"] : []), ...(secrets === null ? ["PROVIDER_APP_SECRET"] : [])];
  const noApp = `This gateway has no app for embedded signups: its operator must set ${missing.join(" and ")}.`;
  if (missing.length > 0) return Promise.reject(new Problem("conflict", noApp));
  return runner.hasRoom(ctx.workspaceId) ? Promise.resolve() : Promise.reject(busy());
}

const busy = (): Problem => {
  const detail = "Too many signups are being begun at this moment: send it again after a second.";
  return new Problem("unavailable", detail, { retryAfterSeconds: 1 });
};

/** Stores the code, sealed. What follows is done after the commit by this process, and by a task if it is killed. */
export async function createSignup(
  ctx: TxCtx,
  { body }: { body: NewEmbeddedSignup },
  runner: SignupRunner,
): Promise<Answer<EmbeddedSignup>> {
  const { sql, workspaceId, secrets } = ctx;
  if (!runner.admit(workspaceId)) throw busy();
  const now = ctx.clock.now();
  const id = newUuid(now);
  const place = { workspaceId, signupId: id };
  const row = await insertSignupRow(sql, workspaceId, {
    id,
    provider_account_id: body.provider_account_id ?? null,
    provider_phone_number_id: body.provider_phone_number_id ?? null,
    redirect_uri: body.redirect_uri ?? null,
    code: sealOf(secrets, place, "code", body.code),
    pin: body.pin === undefined ? null : sealOf(secrets, place, "pin", body.pin),
    ...timesFrom(now),
    now: new Date(now),
  });
  await enqueueSignup(sql, workspaceId, id, now);
  const { provider_account_id, provider_phone_number_id } = row;
  return accepted(row, { provider_account_id, provider_phone_number_id });
}

/** Newest first. */
export async function listSignups(
  { sql, workspaceId }: TxCtx,
  { query }: { query: PageQuery },
): Promise<Answer<Page<EmbeddedSignup>>> {
  const request = pageRequest(query);
  return { body: page(await selectSignupRows(sql, workspaceId, request), request, renderSignup) };
}

export async function getSignup(ctx: TxCtx, { params }: ById): Promise<Answer<EmbeddedSignup>> {
  const row = await selectSignupRow(ctx.sql, ctx.workspaceId, uuidOfPath("sgn", params.id));
  if (!row) throw notFound();
  return answerOf(row);
}

/**
 * Goes on from the step at which a signup has failed, or at once where it waits. A new code begins it again. What is completed
 * stays as it is.
 */
export async function resumeSignup(
  ctx: TxCtx,
  { params, body }: ById & { body: SignupResume },
  runner: SignupRunner,
): Promise<Answer<EmbeddedSignup>> {
  const { sql, workspaceId } = ctx;
  const row = await lockSignupRow(sql, workspaceId, uuidOfPath("sgn", params.id));
  if (!row) throw notFound();
  const given = Object.keys(body);
  if (row.status === "completed") {
    if (given.length === 0) return accepted(row, null);
    throw new Problem("conflict", "The signup is completed; create another one for another code.");
  }
  const now = ctx.clock.now();
  const isHeld = row.claim !== null && (row.claimed_until?.getTime() ?? 0) > now;
  if (isHeld) {
    if (given.length === 0) return accepted(row, null);
    throw new Problem(
      "conflict",
      "The signup is being worked on at this moment: read it again, and resume it when it waits or has failed.",
    );
  }
  if (body.redirect_uri !== undefined && body.code === undefined)
    throw invalidAt("/redirect_uri", "It belongs to a code: give the code that came to it, too.");
  if (body.code === undefined && row.code === null && row.access_token === null)
    throw new Problem("conflict", `The signup has neither a code nor a token that can still be used. ${NEW_CODE}`);
  if (!runner.admit(workspaceId)) throw busy();
  const resumed = resumedRow(ctx, row, body, now);
  await updateSignupRow(sql, workspaceId, { held: row.claim, row: resumed, now: new Date(now) });
  await enqueueSignup(sql, workspaceId, row.id, now);
  const { provider_account_id, provider_phone_number_id } = resumed;
  return accepted(
    { ...resumed, updated_at: new Date(now) },
    {
      provider_account_id,
      provider_phone_number_id,
      given: given.toSorted(),
    },
  );
}

function resumedRow(
  { secrets, workspaceId }: TxCtx,
  row: SecretSignupRow,
  body: SignupResume,
  now: number,
): SecretSignupRow {
  const place = { workspaceId, signupId: row.id };
  const other = (given: string | null | undefined, kept: string | null): string | null =>
    given === undefined ? kept : given;
  const account = other(body.provider_account_id, row.provider_account_id);
  const number = other(body.provider_phone_number_id, row.provider_phone_number_id);
  const isOther = account !== row.provider_account_id || number !== row.provider_phone_number_id;
  // Another account or number must be proved to be the customer's, too.
  const done = isOther ? row.done.slice(0, PROVED_BY_TOKEN) : row.done;
  const kept = { ...row, provider_account_id: account, provider_phone_number_id: number, done };
  const again = {
    ...kept,
    ...(body.pin === undefined ? {} : { pin: sealOf(secrets, place, "pin", body.pin) }),
    status: "pending" as const,
    error: null,
    claim: null,
    claimed_until: null,
    tries: 0,
    next_try_at: new Date(now),
    ...timesFrom(now),
  };
  if (body.code === undefined) return again;
  const code = sealOf(secrets, place, "code", body.code);
  const empty = { access_token: null, token_expires_at: null, granted: null };
  return { ...again, ...empty, done: [], code, code_at: new Date(now), redirect_uri: body.redirect_uri ?? null };
}

/** The steps that say of the token what it is, whatever account and number are named: exchange, inspect_token. */
const PROVED_BY_TOKEN = 2;

/** The `after` of a call that has begun a signup: it goes on here, without waiting for a lane. */
export function startSignup(
  ctx: Ctx,
  answer: Answer<EmbeddedSignup>,
  runner: SignupRunner,
): Promise<Answer<EmbeddedSignup>> {
  if (answer.body.status === "pending") runner.start(ctx.workspaceId, uuidOfPath("sgn", answer.body.id));
  hintTasks(ctx.notifier, ctx.workspaceId);
  return Promise.resolve(answer);
}

const enqueueSignup = (sql: Sql, workspaceId: string, id: string, now: number) => {
  const payload: SignupPayload = { signup_id: id };
  return enqueueTask(sql, workspaceId, { kind: SIGNUP, subject: id, payload, now });
};

const timesFrom = (now: number) => ({
  deadline_at: new Date(now + SIGNUP_TRIED_MS),
  sweep_at: new Date(now + SIGNUP_TRIED_MS + GIVEN_UP_AFTER_MS),
});

const accepted = (row: SignupRow, changes: Changes): Answer<EmbeddedSignup> => {
  const answer = answerOf(row);
  return { ...answer, status: 202, headers: { location: `/v1/embedded-signups/${answer.body.id}` }, changes };
};

function answerOf(row: SignupRow): Answer<EmbeddedSignup> {
  const body = renderSignup(row);
  return { body, resource: { type: "signup", id: body.id } };
}
