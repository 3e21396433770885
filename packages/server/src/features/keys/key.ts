import type { Actor, TxCtx } from "../../ctx.ts";
import { hasScope } from "../../http/caller.ts";
import { type ById, uuidOfBody, uuidOfPath } from "../../http/ids.ts";
import { type Page, type PageQuery, page, pageRequest } from "../../http/pagination.ts";
import { invalidAt, notFound, Problem, referenceNotFound } from "../../http/problem.ts";
import type { Answer } from "../../http/route.ts";
import { timeOf } from "../../http/timestamps.ts";
import { formatId, newUuid } from "../../lib/ids.ts";
import { isoTime } from "../../lib/iso-time.ts";
import { digestOfKey, limitedDigest, newKeyText } from "./key-format.ts";
import { renderKey, toNumbers, toTime } from "./render.ts";
import { type ApiKey, type ApiKeyInput, DEFAULT_OVERLAP_SECONDS, type NewApiKey, type RotateInput } from "./schema.ts";
import {
  countLiveKeyRows,
  insertKeyRow,
  type KeyRow,
  lockKeyRows,
  selectKeyRow,
  selectKeyRows,
  selectNumberIds,
  updateKeyRowReplaced,
  updateKeyRowRevoked,
} from "./store.ts";

/** Live keys of a workspace: far more than it has programs, few enough to read through. */
const MOST_LIVE_KEYS = 500;

/** Creates a key with no more rights than the caller has; the operator may grant any. Its text is in this answer alone. */
export async function createKey(ctx: TxCtx, { body }: { body: ApiKeyInput }): Promise<Answer<NewApiKey>> {
  requireGrantable(ctx.actor, body.scopes);
  const numbers = await numbersOf(ctx, body.phone_number_ids ?? null);
  const expiresAt = body.expires_at ? timeOf(body.expires_at, "/expires_at") : null;
  if (expiresAt !== null && expiresAt <= ctx.now) throw invalidAt("/expires_at", "This time has passed.");
  await lockWithCaller(ctx, []);
  const { row, text } = await addKey(ctx, {
    name: body.name,
    scopes: body.scopes,
    phone_number_ids: numbers,
    dedupe_by: body.dedupe_by ?? null,
    expires_at: toDate(expiresAt),
  });
  return created(row, text);
}

/** Lists the workspace's keys that the caller may see, including ended ones. */
export async function listKeys(ctx: TxCtx, { query }: { query: PageQuery }): Promise<Answer<Page<ApiKey>>> {
  const request = pageRequest(query);
  return {
    body: page(await selectKeyRows(ctx.sql, ctx.workspaceId, request, ctx.actor.phoneNumberIds), request, renderKey),
  };
}

/** One key; 404 when the workspace has no key with this id, or the caller may not see it. */
export async function getKey(ctx: TxCtx, { params }: ById): Promise<Answer<ApiKey>> {
  const row = await selectKeyRow(ctx.sql, ctx.workspaceId, uuidOfPath("key", params.id));
  if (!row || !isWithin(ctx.actor, row)) throw notFound();
  return { body: renderKey(row), resource: { type: "api_key", id: params.id } };
}

/**
 * Creates a new key with the old one's name, scopes, phone numbers, `dedupe_by` and end; the old one works until the overlap is over. A key that the old
 * one had replaced ends now: at most two are alive.
 */
export async function rotateKey(
  ctx: TxCtx,
  { params, body }: ById & { body: RotateInput },
): Promise<Answer<NewApiKey>> {
  const id = uuidOfPath("key", params.id);
  const locked = await lockWithCaller(ctx, [id]);
  const old = locked.find((row) => row.id === id);
  if (!old || !isWithin(ctx.actor, old)) throw notFound();
  if (!isLive(old, ctx.now)) throw new Problem("conflict", "This key has ended; create a new one.");
  if (old.replaced_by !== null) {
    const by = formatId("key", old.replaced_by);
    throw new Problem("conflict", `This key was replaced by ${by}; rotate that one.`, { resourceId: by });
  }
  // Without this check, a caller with keys:write could turn any key into one of its own.
  requireGrantable(ctx.actor, old.scopes);
  for (const row of locked)
    if (row.replaced_by === id) await updateKeyRowRevoked(ctx.sql, ctx.workspaceId, row.id, ctx.now);
  const { row, text } = await addKey(ctx, old);
  const end = ctx.now + (body.overlap_seconds ?? DEFAULT_OVERLAP_SECONDS) * 1_000;
  await updateKeyRowReplaced(ctx.sql, ctx.workspaceId, id, row.id, end);
  return { ...created(row, text), changes: { ...recorded(row), replaces: params.id } };
}

/** Revokes a key, in every process within 5 s; a key may revoke itself. Revoking twice is the same as once. */
export async function deleteKey(ctx: TxCtx, { params }: ById): Promise<Answer<null>> {
  const id = uuidOfPath("key", params.id);
  const locked = await lockWithCaller(ctx, [id]);
  if (!locked.some((row) => row.id === id && isWithin(ctx.actor, row))) throw notFound();
  const ended = await updateKeyRowRevoked(ctx.sql, ctx.workspaceId, id, ctx.now);
  const resource = { type: "api_key", id: params.id };
  return { body: null, resource, changes: ended ? { revoked_at: isoTime(ctx.now) } : null };
}

function requireGrantable(actor: Actor, scopes: readonly string[]): void {
  if (actor.type === "operator") return;
  const missing = scopes.filter((scope) => !hasScope(actor, scope));
  if (missing.length === 0) return;
  throw new Problem("forbidden", `This API key lacks ${missing.join(", ")} itself, so it cannot give it to another.`);
}

/** Uuids of the phone numbers of a new key; null for all, which only a caller without a limit may give. */
async function numbersOf(ctx: TxCtx, ids: readonly string[] | null): Promise<string[] | null> {
  const own = ctx.actor.phoneNumberIds;
  if (ids === null) {
    if (own === null) return null;
    throw new Problem(
      "forbidden",
      "This API key is limited to phone numbers, so it cannot create one without: give some of its own as phone_number_ids.",
    );
  }
  const numbers = ids.map((id, index) => uuidOfBody("num", id, `/phone_number_ids/${index}`));
  // Whether the number is there at all is not answered.
  const foreign = own === null ? -1 : numbers.findIndex((id) => !own.includes(id));
  if (foreign !== -1)
    throw new Problem(
      "forbidden",
      `This API key is not for the phone number ${ids[foreign]} itself, so it cannot give it to another.`,
    );
  const known = new Set(await selectNumberIds(ctx.sql, ctx.workspaceId, numbers));
  const unknown = numbers.findIndex((id) => !known.has(id));
  if (unknown !== -1) throw referenceNotFound(`/phone_number_ids/${unknown}`);
  return numbers;
}

/** Whether the caller has all phone numbers of a key: a caller with a limit sees no key that can do more. */
const isWithin = ({ phoneNumberIds: own }: Actor, { phone_number_ids: numbers }: KeyRow): boolean =>
  own === null || (numbers !== null && numbers.every((id) => own.includes(id)));

// Another process may have revoked the calling key seconds ago: a key created with it now would outlive the revocation.
async function lockWithCaller(ctx: TxCtx, ids: readonly string[]): Promise<KeyRow[]> {
  const callerId = ctx.actor.type === "api_key" ? ctx.actor.id : null;
  const locked = await lockKeyRows(ctx.sql, ctx.workspaceId, callerId === null ? ids : [...ids, callerId]);
  const caller = locked.find((row) => row.id === callerId);
  if (callerId !== null && !(caller && isLive(caller, ctx.now)))
    throw new Problem("unauthorized", "This API key has ended.");
  return locked;
}

const isLive = (row: KeyRow, now: number): boolean =>
  row.revoked_at === null && (row.expires_at === null || row.expires_at.getTime() > now);

async function addKey(
  ctx: TxCtx,
  wanted: Pick<KeyRow, "name" | "scopes" | "phone_number_ids" | "dedupe_by" | "expires_at">,
): Promise<{ row: KeyRow; text: string }> {
  if ((await countLiveKeyRows(ctx.sql, ctx.workspaceId, ctx.now)) >= MOST_LIVE_KEYS)
    throw new Problem("conflict", `A workspace has at most ${MOST_LIVE_KEYS} live keys; revoke some.`);
  const { text, hint } = newKeyText();
  const row: KeyRow = {
    id: newUuid(ctx.now),
    name: wanted.name,
    hint,
    scopes: [...wanted.scopes],
    phone_number_ids: wanted.phone_number_ids,
    dedupe_by: wanted.dedupe_by,
    expires_at: wanted.expires_at,
    revoked_at: null,
    replaced_by: null,
    last_used_at: null,
    created_at: new Date(ctx.now),
  };
  const digest = digestOfKey(text);
  await insertKeyRow(ctx.sql, ctx.workspaceId, row, row.phone_number_ids === null ? digest : limitedDigest(digest));
  return { row, text };
}

function created(row: KeyRow, text: string): Answer<NewApiKey> {
  const body = { ...renderKey(row), key: text };
  return {
    body,
    headers: { location: `/v1/api-keys/${body.id}` },
    resource: { type: "api_key", id: body.id },
    changes: recorded(row),
  };
}

/** The audit log's record of a new key. */
const recorded = (row: KeyRow) => ({
  name: row.name,
  scopes: row.scopes,
  ...(row.phone_number_ids === null ? {} : { phone_number_ids: toNumbers(row.phone_number_ids) }),
  ...(row.dedupe_by === null ? {} : { dedupe_by: row.dedupe_by }),
  expires_at: toTime(row.expires_at),
});

const toDate = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));
