import type { TxCtx } from "../../../ctx.ts";
import { callWithin } from "../../../db/call-within.ts";
import type { ById } from "../../../http/ids.ts";
import type { Answer } from "../../../http/route.ts";
import { formatId } from "../../../lib/ids.ts";
import type { PartEnvelope } from "../../../provider/callback-parts.ts";
import { loadRawCallback } from "../../events/raw-callback.ts";
import { definitionsOf } from "../../templates/definitions.ts";
import { withProviderFiles } from "../files-of-content.ts";
import { requireMessage } from "../message.ts";
import { withoutProvider } from "../message-error.ts";
import { partOfMessage } from "../provider-part.ts";
import { type StoredMessage, selectHistoryRows } from "../read.store.ts";
import { withoutCodes } from "./hide-codes.ts";
import {
  type AttemptRow,
  type ReportRow,
  selectAttemptRows,
  selectReportRows,
  selectSentRow,
} from "./provider-view.store.ts";
import type { ProviderView } from "./schema.ts";

/**
 * What was sent to the provider of a message and what it reported of it. The request is not kept: it is written again, by the function
 * that wrote it. Of a person who was erased are left the times and codes.
 */
export async function getProviderView(ctx: TxCtx, { params }: ById): Promise<Answer<ProviderView>> {
  const { sql, workspaceId } = ctx;
  const row = await requireMessage(ctx, params.id);
  const attempts = await selectAttemptRows(sql, workspaceId, row.id);
  const isErased = row.is_erased === true;
  return {
    body: {
      message_id: params.id,
      request: attempts.length === 0 || isErased ? null : await requestOf(ctx, row),
      attempts: attempts.toReversed().map((attempt) => renderAttempt(attempt, isErased)),
      reports: isErased ? [] : await reportsOf(ctx, row),
    },
    resource: { type: "message", id: params.id },
    contactIds: [row.contact_id],
  };
}

async function requestOf(ctx: TxCtx, row: StoredMessage): Promise<ProviderView["request"]> {
  const { sql, workspaceId, provider } = ctx;
  const sent = await selectSentRow(sql, workspaceId, row.id);
  if (sent === null || (sent.recipient === null && sent.user_id === null)) return null;
  const isFallback = row.fallback !== null && row.fallback_used === true;
  const type = isFallback ? "template" : row.type;
  const content = isFallback ? row.fallback : row.content;
  const category = isFallback ? row.fallback_category : row.category;
  const isHidden = type === "template" && (category === "authentication" || (await isOfCode(ctx, row.template_id)));
  return provider.writeSend({
    providerPhoneNumberId: sent.provider_phone_number_id,
    messagingAccountId: sent.messaging_account_id,
    to: sent.recipient,
    userId: sent.user_id,
    type,
    content: isHidden ? withoutCodes(content) : withProviderFiles(type, content, sent.files),
    replyToProviderId: sent.reply_to_provider_id,
  });
}

async function isOfCode({ sql, workspaceId }: TxCtx, templateId: string | null): Promise<boolean> {
  if (templateId === null) return false;
  return (await definitionsOf(sql, workspaceId, [templateId])).get(templateId)?.isCode === true;
}

const OUTCOMES = { accepted: "accepted", failed: "refused", retry: "refused", unknown: "lost" } as const;

function renderAttempt(row: AttemptRow, isErased: boolean): ProviderView["attempts"][number] {
  return {
    attempt: row.attempt,
    started_at: row.started_at?.toISOString() ?? null,
    completed_at: row.completed_at?.toISOString() ?? null,
    outcome: row.outcome === null ? "under_way" : OUTCOMES[row.outcome],
    provider_message_id: isErased ? null : row.provider_message_id,
    error: isErased ? withoutProvider(row.error) : row.error,
  };
}

async function reportsOf(ctx: TxCtx, row: StoredMessage): Promise<ProviderView["reports"]> {
  const { sql, workspaceId } = ctx;
  const history = await selectHistoryRows(sql, workspaceId, row.id);
  const written = [new Date(row.created_at as Date), ...history.map(({ received_at }) => received_at)]; // as the driver reads it
  const reports: ProviderView["reports"] = [];
  for (const report of await selectReportRows(sql, workspaceId, row.id, written)) {
    const envelope = await envelopeOf(ctx, row, report);
    reports.push({
      kind: report.kind,
      occurred_at: report.occurred_at.toISOString(),
      received_at: report.created_at.toISOString(),
      callback: envelope === null ? null : (JSON.parse(envelope.body.toString("latin1")) as object),
    });
  }
  return reports;
}

/** The part of its callback that is of this message, one callback at a time: each may have 3 MiB. Null where it is no longer kept. */
async function envelopeOf(ctx: TxCtx, row: StoredMessage, report: ReportRow): Promise<PartEnvelope | null> {
  const { kind, provider_phone_number_id: providerPhoneNumberId, phone, provider_account_id } = report;
  const [found] = await callWithin(ctx.sql, loadRawCallback, [{ id: report.callback_id }], ctx.now);
  if (!found?.body) return null;
  const source = {
    kind,
    occurredAt: report.occurred_at.getTime(),
    resourceId: null,
    state: report.state ?? {},
    message: row,
    messageId: row.id,
    contact: null,
    isErased: false,
    // Read with a key: an address that needs none would be more than this reader may have.
    media: (id: string) => ({ id: formatId("med", id), url: `/v1/media/${formatId("med", id)}/content` }),
    // What the provider said, with its own ids and without what the client gave.
    mintedId: null,
    number: { providerPhoneNumberId, phone, providerAccountId: provider_account_id },
  };
  const part = partOfMessage(source, ctx.secrets);
  return part === null
    ? null
    : ctx.provider.cutCallback(found.body, part.part, { ...part.own, publicId: null, clientValue: null });
}
