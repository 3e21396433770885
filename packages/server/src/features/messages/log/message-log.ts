import type { TxCtx } from "../../../ctx.ts";
import { uuidOfFilter } from "../../../http/ids.ts";
import { type Page, page, pageOfLooked, pageRequest } from "../../../http/pagination.ts";
import type { Answer } from "../../../http/route.ts";
import { keysetPages, ROWS_A_PAGE, type RowStream } from "../../../http/stream-rows.ts";
import { timeOf } from "../../../http/timestamps.ts";
import { formatId } from "../../../lib/ids.ts";
import { findRecordIds } from "../../identity/find-contact.ts";
import { reportedStatus, reportOfBit } from "../../threads/status.ts";
import { errorOfStatus, withoutProvider } from "../message-error.ts";
import {
  type LogActorRow,
  type LogFilter,
  type LogRow,
  selectCancelerRows,
  selectErasedIds,
  selectIdsOfNumbers,
  selectLogRows,
  selectSenderRows,
} from "./message-log.store.ts";
import type { AuditMessage, MessageLogQuery } from "./schema.ts";

type Reading = Pick<TxCtx, "sql" | "workspaceId" | "actor">;

/** Entries that a page looks at for a limited key, of which few may be of its numbers. */
const LOOK = 2_000;

/** What became of messages, step by step, newest first. */
export async function listMessageLog(
  ctx: TxCtx,
  { query }: { query: MessageLogQuery },
): Promise<Answer<Page<AuditMessage>>> {
  const request = pageRequest(query);
  const limit = ctx.actor.phoneNumberIds === null ? request.fetch : LOOK;
  const { rows, actors, reached } = await read(ctx, query, { before: request.before, limit });
  const render = (row: LogRow) => renderEntry(row, actors.get(row.id));
  return {
    body:
      ctx.actor.phoneNumberIds === null
        ? page(rows, request, render)
        : pageOfLooked({ rows, reached }, request, render),
  };
}

/** The same for a stream of the whole range. */
export const MESSAGE_LOG_ROWS: RowStream<{ query: MessageLogQuery }> = {
  columns: ["id", "at", "message_id", "event", "actor_type", "actor_id", "actor_name", "detail"],
  cells(row) {
    const { actor, ...rest } = row as AuditMessage; // as `pages` gave it
    return { ...rest, actor_type: actor.type, actor_id: actor.id, actor_name: actor.name };
  },
  pages: (ctx, { query }) =>
    keysetPages(ctx, async (sql, before: string | null) => {
      const reading = { sql, workspaceId: ctx.workspaceId, actor: ctx.actor };
      const { rows, actors, reached } = await read(reading, query, { before, limit: ROWS_A_PAGE });
      return { rows: rows.map((row) => renderEntry(row, actors.get(row.id))), next: reached };
    }),
};

/** `reached`: the last entry that was looked at; null: there are no more. */
type Found = { rows: LogRow[]; actors: Map<string, LogActorRow>; reached: string | null };

async function read(
  reading: Reading,
  query: MessageLogQuery,
  place: { before: string | null; limit: number },
): Promise<Found> {
  const { sql, workspaceId } = reading;
  const filter = await filterOf(reading, query);
  const found = filter === null ? [] : await selectLogRows(sql, workspaceId, filter, place);
  const rows = await withoutErased(reading, await withoutOthers(reading, found));
  const sent = rows.filter(({ outbound }) => outbound === true).map(({ id }) => id);
  const canceled = rows
    .filter(({ bit }) => nameOf(bit) === "canceled")
    .map(({ id, at, message_id }) => ({ id, at, resource: formatId("msg", message_id) }));
  const actors = [
    ...(sent.length === 0 ? [] : await selectSenderRows(sql, workspaceId, sent)),
    ...(canceled.length === 0 ? [] : await selectCancelerRows(sql, workspaceId, canceled)),
  ];
  const reached = found.length < place.limit ? null : (found.at(-1)?.id ?? null);
  return { rows, actors: new Map(actors.map((actor) => [actor.id, actor])), reached };
}

/** Without the messages of numbers that the caller may not see. */
async function withoutOthers({ sql, workspaceId, actor }: Reading, rows: LogRow[]): Promise<LogRow[]> {
  if (actor.phoneNumberIds === null || rows.length === 0) return rows;
  const ids = rows.map(({ message_id }) => message_id);
  const own = new Set(await selectIdsOfNumbers(sql, workspaceId, ids, actor.phoneNumberIds));
  return rows.filter(({ message_id }) => own.has(message_id));
}

/** Without what the provider wrote about messages whose person was erased. */
async function withoutErased({ sql, workspaceId }: Reading, rows: LogRow[]): Promise<LogRow[]> {
  const failed = rows.filter(({ error }) => error?.provider !== undefined).map(({ message_id }) => message_id);
  const erased = new Set(failed.length === 0 ? [] : await selectErasedIds(sql, workspaceId, failed));
  return rows.map((row) => (erased.has(row.message_id) ? { ...row, error: withoutProvider(row.error) } : row));
}

/** Null when nothing can match: a name that no contact has, an id of another kind, or no time between the two. */
async function filterOf({ sql, workspaceId }: Reading, query: MessageLogQuery): Promise<LogFilter | null> {
  const from = query.at_after === undefined ? null : timeOf(query.at_after, "?at_after");
  const to = query.at_before === undefined ? null : timeOf(query.at_before, "?at_before");
  const messageId = query.message_id === undefined ? null : uuidOfFilter("msg", query.message_id);
  const recipients = query.to === undefined ? null : await findRecordIds(sql, workspaceId, query.to);
  if (query.message_id !== undefined && messageId === null) return null;
  if (recipients?.length === 0 || (from !== null && to !== null && from >= to)) return null;
  return { messageId, recipients, from, to };
}

function nameOf(bit: number | null): string | null {
  if (bit === null) return null;
  const report = reportOfBit(bit);
  // Apart here, though both are the status `unknown`.
  return report === "given_up" ? "given_up" : report === "played" ? "played" : reportedStatus(report);
}

/** What the gateway itself found out, when nothing more was heard. */
const BY_GATEWAY = new Set(["unknown", "given_up", "expired"]);

function renderEntry(row: LogRow, actor: LogActorRow | undefined): AuditMessage {
  const base = { id: formatId("aud", row.id), at: row.at.toISOString(), message_id: formatId("msg", row.message_id) };
  if (row.attempt !== null) return { ...base, ...refusal(row) };
  const name = nameOf(row.bit);
  if (name === null) return { ...base, ...beginning(row, actor) };
  const occurred_at = row.occurred_at?.toISOString() ?? null;
  const type = name === "canceled" ? null : BY_GATEWAY.has(name) ? "system" : "provider";
  return {
    ...base,
    event: name,
    actor: type === null ? callerOf(actor, "system") : { type, id: null, name: null },
    detail: { occurred_at, error: row.error },
  };
}

/** What was refused is tried again. Without an answer of the provider it was not reached. */
function refusal({ attempt, occurred_at, error }: LogRow): Pick<AuditMessage, "event" | "actor" | "detail"> {
  return {
    event: "refused",
    actor: { type: error?.provider === undefined ? "system" : "provider", id: null, name: null },
    detail: { occurred_at: occurred_at?.toISOString() ?? null, attempt, error: errorOfStatus(error, "queued") },
  };
}

function beginning(row: LogRow, actor: LogActorRow | undefined): Pick<AuditMessage, "event" | "actor" | "detail"> {
  const detail = {
    type: row.type,
    phone_number_id: row.phone_number_id === null ? null : formatId("num", row.phone_number_id),
    occurred_at: row.occurred_at?.toISOString() ?? null,
    send_at: row.send_at?.toISOString() ?? null,
  };
  if (row.outbound === false) {
    const id = row.contact_id === null ? null : formatId("con", row.contact_id);
    return { event: "received", actor: { type: "contact", id, name: null }, detail };
  }
  // Also what is of its history: it was written there.
  if (row.origin !== null) return { event: "created", actor: { type: "business_app", id: null, name: null }, detail };
  return { event: "created", actor: callerOf(actor, "api_key"), detail };
}

/** `otherwise`: where the row of the call is no longer kept, or there was none. */
const callerOf = (actor: LogActorRow | undefined, otherwise: string): AuditMessage["actor"] => ({
  type: actor?.actor_type ?? otherwise,
  id: actor && actor.actor_id !== null && actor.actor_type === "api_key" ? formatId("key", actor.actor_id) : null,
  name: actor?.actor_name ?? null,
});
