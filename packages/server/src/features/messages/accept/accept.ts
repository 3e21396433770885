import type { App } from "../../../ctx.ts";
import { batchCalls } from "../../../db/batched.ts";
import { CommitUnknown, LockHeld } from "../../../db/database.ts";
import { waitApplied } from "../../../http/headers.ts";
import { Problem, type ProblemCode } from "../../../http/problem.ts";
import type { Answer, OwnCtx } from "../../../http/route.ts";
import { formatId, newUuid, parseId } from "../../../lib/ids.ts";
import { callerFields } from "../../audit/fields.ts";
import type { Listeners } from "../../webhooks/endpoints/listeners.ts";
import { slotsOfMask } from "../../webhooks/events/event.sql.ts";
import { messageById, usedKey } from "../read.store.ts";
import { renderMessage, UNREPORTED } from "../render.ts";
import type { Message, SendMessage } from "../schema.ts";
import { type AcceptAnswer, type AcceptRow, acceptMessages } from "./accept.store.ts";
import { createRecentSet } from "./recent-set.ts";
import { type Draft, draftOf, type ResolveDeps, templateProblem } from "./resolve-send.ts";
import type { Waiters } from "./settled-waiters.ts";

export type AcceptDeps = ResolveDeps & {
  /** Forgets what is cached of a workspace's numbers and templates: SQL saw something newer. */
  forget(workspaceId: string): void;
  listeners: Listeners;
};

/** Sends a message: 202 means that message, queue row, key, event and audit row are on disk together. */
export type Accept = { send(ctx: OwnCtx, body: SendMessage): Promise<Answer<Message>>; stop(): Promise<void> };

/** SQL sees an approval, a pause or a new definition before the cache: look again this often. */
const STALE_TRIES = 3;
/** Recipients remembered as known: accepting need not look for strangers among them. Some 100 bytes each. */
const KNOWN_RECIPIENTS = 100_000;
const DAY_MS = 86_400_000;
const ANSWER_KEPT_MS = 7 * DAY_MS;
const KEY_KEPT_MS = 30 * DAY_MS;

type Kept = Answer<Message>;

export function createAccept(app: App, deps: AcceptDeps, waiters: Waiters): Accept {
  const batch = batchCalls<AcceptRow, AcceptAnswer>({
    db: app.db,
    clock: app.clock,
    fn: acceptMessages,
    group: (row) => row.workspace_id,
    // A stranger becomes a contact, with its event; else accepting writes none.
    weight: (row) =>
      row.new_contact_id === undefined ? 1 : deps.listeners.weightOf(row.workspace_id, "contact_created"),
    committed(answers) {
      app.notifier.hint(
        "dispatch",
        new Set(answers.flatMap(({ outcome, slot }) => (outcome === "accepted" && slot !== null ? [slot] : []))),
      );
      app.notifier.hint("deliver", slotsOfMask(answers.at(-1)?.slots_mask));
    },
  });
  const known = createRecentSet(KNOWN_RECIPIENTS);
  // Twins in this process wait here for the first: they cost no connection, and no batch ever holds one key twice.
  const running = new Map<string, Promise<{ fingerprint: string; answer: Kept } | null>>();

  async function send(ctx: OwnCtx, body: SendMessage): Promise<Kept> {
    const answer = ctx.key === null ? await execute(ctx, body) : await once(ctx, ctx.key, body);
    return ctx.waitSeconds === null ? answer : await waited(ctx, answer, ctx.waitSeconds);
  }

  async function once(ctx: OwnCtx, key: NonNullable<OwnCtx["key"]>, body: SendMessage): Promise<Kept> {
    const name = `${ctx.workspaceId}:${key.digest}`;
    for (;;) {
      const twin = running.get(name);
      if (!twin) break;
      const first = await twin;
      if (first === null) continue; // it was refused and left nothing: the next one tries
      if (first.fingerprint !== key.fingerprint) throw reused(first.answer.resource?.id ?? null);
      return { ...first.answer, replayed: true };
    }
    let done: (first: { fingerprint: string; answer: Kept } | null) => void = () => {};
    running.set(name, new Promise((resolve) => (done = resolve)));
    try {
      const answer = await execute(ctx, body);
      done({ fingerprint: key.fingerprint, answer });
      return answer;
    } finally {
      running.delete(name);
      done(null); // does nothing after an answer
    }
  }

  async function execute(ctx: OwnCtx, body: SendMessage): Promise<Kept> {
    for (let round = 1; ; round++) {
      let draft: Draft;
      try {
        draft = await draftOf(ctx, deps, body);
      } catch (refusal) {
        // A client that lost its 202 must get it again, whatever the template or the number has become since.
        const replay = refusal instanceof Problem ? await replayBeforeRefusal(ctx) : null;
        if (replay) return replay;
        throw refusal;
      }
      const recipient = recipientKey(ctx, draft);
      const met = known.has(recipient);
      if (!met) await deps.listeners.known(ctx.workspaceId);
      const row = rowOf(ctx, body, draft, met);
      const answer = await submit(ctx, row);
      if (answer.outcome === "accepted") {
        if (!met) known.add(recipient);
        return accepted(row, answer);
      }
      if (answer.outcome === "replay") return await replayOf(ctx, answer.resource ?? "");
      const stale =
        answer.outcome === "stale_template" ||
        answer.outcome === "sender_unavailable" ||
        answer.outcome === "template_not_approved";
      if (stale) deps.forget(ctx.workspaceId);
      if (answer.outcome === "stranger") known.delete(recipient);
      else if (answer.outcome !== "stale_template") throw refusalOf(answer);
      if (round >= STALE_TRIES) throw refusalOf(answer);
    }
  }

  async function submit(ctx: OwnCtx, row: AcceptRow): Promise<AcceptAnswer> {
    try {
      return await batch.submit(row);
    } catch (error) {
      if (error instanceof LockHeld && error.table === "idempotency_key")
        throw new Problem("idempotency_in_progress", "The first request with this key is still running.", {
          retryAfterSeconds: 1,
          cause: error,
        });
      if (!(error instanceof CommitUnknown)) throw error;
      // With a key the client may safely ask again; without one only the id can tell it what to look for.
      if (ctx.key !== null)
        throw new Problem(
          "unavailable",
          "The database went away while this was being stored; the same request with its key is safe.",
          { cause: error },
        );
      throw new Problem(
        "internal",
        `It is not known whether ${row.public_id} was stored; look for it before sending again.`,
        { cause: error, resourceId: row.public_id },
      );
    }
  }

  async function replayBeforeRefusal(ctx: OwnCtx): Promise<Kept | null> {
    const { key } = ctx;
    if (key === null) return null;
    const used = await ctx.db.read(ctx.workspaceId, (sql) =>
      usedKey(sql, ctx.workspaceId, key.digest, key.fingerprint),
    );
    const age = used ? ctx.now - used.created_at.getTime() : 0;
    if (!used || age >= KEY_KEPT_MS) return null;
    if (!used.same) throw reused(used.resource_id);
    if (age >= ANSWER_KEPT_MS) throw expiredKey(used.resource_id);
    return await replayOf(ctx, used.resource_id);
  }

  // Rendered again from fields that never change: the same bytes as the first time.
  async function replayOf(ctx: OwnCtx, publicId: string): Promise<Kept> {
    const id = parseId("msg", publicId);
    const row = id === null ? null : await ctx.db.read(ctx.workspaceId, (sql) => messageById(sql, ctx.workspaceId, id));
    if (!row) throw expiredKey(publicId);
    return { ...answerOf(renderMessage(row, UNREPORTED)), replayed: true };
  }

  async function waited(ctx: OwnCtx, answer: Kept, seconds: number): Promise<Kept> {
    const id = parseId("msg", answer.resource?.id ?? "");
    if (id === null) return answer;
    await waiters.settled(ctx.workspaceId, id, seconds * 1_000, ctx.signal);
    const row = await ctx.db.read(ctx.workspaceId, (sql) => messageById(sql, ctx.workspaceId, id));
    if (!row) return answer;
    return { ...answer, body: renderMessage(row, row), headers: { ...answer.headers, ...waitApplied(seconds) } };
  }

  return { send, stop: () => batch.drained() };
}

const recipientKey = (ctx: OwnCtx, { recipient }: Draft): string =>
  `${ctx.workspaceId} ${recipient.phone ?? recipient.userId ?? recipient.contactId ?? ""}`;

function rowOf(ctx: OwnCtx, body: SendMessage, draft: Draft, known: boolean): AcceptRow {
  const id = newUuid(ctx.now);
  const publicId = formatId("msg", id);
  return {
    workspace_id: ctx.workspaceId,
    id,
    public_id: publicId,
    key: ctx.key?.digest,
    fingerprint: ctx.key?.fingerprint,
    phone: draft.recipient.phone ?? undefined,
    contact_id: draft.recipient.contactId ?? undefined,
    user_id: draft.recipient.userId ?? undefined,
    new_contact_id: known ? undefined : newUuid(ctx.now),
    phone_number_id: draft.sender.phoneNumberId,
    sender: draft.sender.phone,
    type: draft.type,
    content: draft.content,
    template_id: draft.template?.id,
    template_revision: draft.template?.revision,
    category: draft.template?.category,
    reply_to: draft.replyTo ?? undefined,
    reference: body.reference,
    send_at: draft.sendAt ?? undefined,
    expires_at: draft.expiresAt ?? undefined,
    resend_once: body.on_unknown === "resend_once",
    now: new Date(ctx.now).toISOString(),
    ...callerFields(ctx),
  };
}

// Field by field: a spread of the row, whose fields may be absent, was a twentieth of the whole request.
function accepted(row: AcceptRow, answer: AcceptAnswer): Kept {
  const message = renderMessage(
    {
      id: row.id,
      outbound: true,
      phone_number_id: row.phone_number_id,
      contact_id: answer.contact_id ?? "",
      recipient: answer.recipient,
      sender: row.sender,
      type: row.type,
      content: row.content,
      reply_to: row.reply_to ?? null,
      reference: row.reference ?? null,
      category: row.category ?? null,
      send_at: row.send_at,
      expires_at: row.expires_at,
      estimated_dispatch_at: null,
      sequence: answer.sequence ?? 0,
      created_at: row.now,
    },
    UNREPORTED,
  );
  return answerOf(message);
}

function answerOf(message: Message): Kept {
  return {
    body: message,
    headers: { location: `/v1/messages/${message.id}` },
    resource: { type: "message", id: message.id },
  };
}

function refusalOf(answer: AcceptAnswer): Problem {
  switch (answer.outcome) {
    case "reused":
      return reused(answer.resource);
    case "expired_key":
      return expiredKey(answer.resource ?? "");
    case "stranger":
      return new Problem("unavailable", "The recipient's contact is being erased; try again.");
    case "stale_template":
      return templateProblem("template_not_approved", "The template is changing; try again.");
    case "template_not_found":
    case "template_not_approved":
      return templateProblem(answer.outcome, "The template cannot be sent now.");
    case "reference_not_found":
      return missing("/to");
    case "reference_not_found_reply_to":
      return missing("/reply_to");
    default:
      return new Problem(answer.outcome as ProblemCode, REFUSALS[answer.outcome] ?? "It cannot be sent.");
  }
}

const REFUSALS: Record<string, string> = {
  sender_unavailable: "The phone number, or its account, cannot send now.",
  recipient_opted_out: "The recipient has opted out of marketing messages.",
  window_closed: "No message of this person came to this number in the last 24 hours; send a template.",
};

function missing(pointer: string): Problem {
  const detail = "There is no such resource.";
  return new Problem("reference_not_found", detail, { errors: [{ pointer, code: "reference_not_found", detail }] });
}

const reused = (resourceId: string | null): Problem =>
  new Problem(
    "idempotency_key_reused",
    "This key was first used for a request that differs.",
    resourceId ? { resourceId } : {},
  );

const expiredKey = (resourceId: string): Problem =>
  new Problem(
    "idempotency_key_expired",
    "This key was used before; its answer is no longer kept.",
    resourceId === "" ? {} : { resourceId },
  );
