import type { Database } from "../../../db/database.ts";
import { type Problem, unlessRefused } from "../../../http/problem.ts";
import { formatId } from "../../../lib/ids.ts";
import type { Sender } from "../../accounts/numbers/senders.ts";
import { type Headroom, headroom, limitOf } from "../../limits/headroom.ts";
import type { SendableTemplate } from "../../templates/cache.ts";
import { WINDOW_MS } from "../../threads/thread.sql.ts";
import type { SendMessage } from "../schema.ts";
import type { Accepting } from "../send-context.ts";
import { checkContent, type NamedTemplate, readContent } from "../types.ts";
import type { Validation } from "../validate-schema.ts";
import { acceptRowOf } from "./accept-row.ts";
import type { Backlogs } from "./backlogs.ts";
import { checkCodeReaches } from "./code-reach.ts";
import { judgeMessages } from "./judge.store.ts";
import { limitReached, refusalOf } from "./refusals.ts";
import { resolveMedia } from "./resolve-media.ts";
import {
  checkIsAnother,
  isLater,
  quotedBy,
  type ResolveDeps,
  type ResolvedSend,
  resolveRecipient,
  resolveSender,
  resolveTemplate,
  timesOf,
} from "./resolve-send.ts";
import type { Rule } from "./verdict.sql.ts";

/** What is said of a message, with the problems as they would be thrown. */
export type Examination = Omit<Validation, "problems"> & { problems: Problem[] };

export type ValidateDeps = ResolveDeps & { backlogs: Backlogs };

const NOTHING_ELSE = { resource: null, room_at: null };
/** SQL sees a new definition before the cache does: so many rounds. */
const STALE_TRIES = 3;

/**
 * Everything that accepting the message would refuse, by the same steps and the same rules in SQL. Nothing is written: no contact, no
 * key, no place in the queue.
 */
export async function examineMessage(ctx: Accepting, deps: ValidateDeps, body: SendMessage): Promise<Examination> {
  let round = await examine(ctx, deps, body);
  for (let tries = 1; round.isStale && tries < STALE_TRIES; tries++) {
    deps.senders.forget(ctx.workspaceId);
    deps.templates.forget(ctx.workspaceId);
    round = await examine(ctx, deps, body);
  }
  const { problems, window, template, sender, isNewPerson } = round;
  const queue = sender && deps.backlogs.look(sender, ctx.now);
  if (queue?.full && !round.isLater) problems.push(queue.full);
  const room = sender && (await headroomOf(deps.db, ctx, sender));
  if (room?.remaining === 0 && isNewPerson) problems.push(limitReached(room.resets_at, ctx.now));
  return {
    sendable: problems.length === 0,
    problems,
    window,
    template: template && {
      id: formatId("tpl", template.id),
      status: template.status,
      category: template.category,
    },
    limits: {
      messaging: room ? limitOf(room) : null,
      queue: queue && { waiting: queue.waiting, limit: queue.most, estimated_dispatch_at: queue.dispatchAt },
    },
  };
}

type Examined = {
  problems: Problem[];
  window: Validation["window"];
  template: SendableTemplate | null;
  sender: Sender | null;
  isLater: boolean;
  /** Sent now, it would count as one more person in the messaging limit. */
  isNewPerson: boolean;
  /** SQL saw something newer than the caches. */
  isStale: boolean;
};

async function examine(ctx: Accepting, deps: ValidateDeps, body: SendMessage): Promise<Examined> {
  const problems: Problem[] = [];
  const read = readContent(body);
  const recipient = await unlessRefused(problems, () => resolveRecipient(ctx, deps, body.to));
  const times = await unlessRefused(problems, () => timesOf(ctx, body));
  const sender = await unlessRefused(problems, () => resolveSender(ctx, deps, body, read));
  if (recipient && sender) await unlessRefused(problems, () => checkIsAnother(recipient, sender));
  const said = await unlessRefused(problems, () => {
    checkContent(read);
    return { ...read, replyTo: quotedBy(read) };
  });
  const media = await unlessRefused(problems, () => resolveMedia(ctx, deps.db, read));
  const named = said?.named ?? null;
  const template =
    sender &&
    named &&
    (await unlessRefused(problems, () => resolveTemplate(ctx, deps, sender, named, times ?? { sendAt: null })));
  if (template?.needsNumber && recipient?.phone === null)
    await unlessRefused(problems, () => checkCodeReaches(deps.db, ctx.workspaceId, body.to, recipient.contactId));
  const seen = {
    problems,
    sender,
    isLater: times !== null && isLater(times, ctx.now),
    template: template ?? (await unfit(ctx, deps, sender, named)),
  };
  if (!recipient || !sender) return { ...seen, window: null, isNewPerson: false, isStale: false };
  const send: ResolvedSend = {
    recipient,
    sender,
    type: body.type,
    content: said?.content ?? null,
    fallback: said?.fallback ?? null,
    media,
    replyTo: said?.replyTo ?? null,
    template,
    sendAt: times?.sendAt ?? null,
    expiresAt: times?.expiresAt ?? null,
  };
  const row = acceptRowOf(ctx, null, body, send, { known: true, estimate: null });
  const [judged] = await deps.db.call(judgeMessages, [row], ctx.now);
  const broken = judged?.refusals ?? [];
  problems.push(...broken.filter((rule) => says(rule, broken)).map((rule) => refusalOf(rule, NOTHING_ELSE, row)));
  const window = windowOf(sender, judged?.last_inbound_at ?? null, ctx.now);
  const isNewPerson = judged?.is_new_person ?? false;
  return {
    ...seen,
    window,
    isNewPerson,
    isStale: broken.includes("stale_template") || broken.includes("sender_unavailable"),
  };
}

const headroomOf = async (
  db: Database,
  { workspaceId, now }: Accepting,
  sender: Sender,
): Promise<Headroom | undefined> =>
  (await db.read(workspaceId, (sql) => headroom(sql, workspaceId, [sender.businessAccountId], now))).get(
    sender.businessAccountId,
  );

/** The template that is named and cannot be sent. */
const unfit = async (
  { workspaceId }: Accepting,
  { templates }: ResolveDeps,
  sender: Sender | null,
  named: NamedTemplate | null,
): Promise<SendableTemplate | null> =>
  sender && named
    ? await templates.find(workspaceId, sender.businessAccountId, named.content.name, named.content.language.code)
    : null;

/** A person who does not exist has no window either. */
const says = (rule: Rule, broken: readonly Rule[]): boolean =>
  rule !== "window_closed" || !broken.includes("reference_not_found");

function windowOf({ phoneNumberId }: Sender, lastInboundAt: Date | null, now: number): Validation["window"] {
  const expiresAt = lastInboundAt === null ? null : lastInboundAt.getTime() + WINDOW_MS;
  return {
    phone_number_id: formatId("num", phoneNumberId),
    open: expiresAt !== null && now < expiresAt,
    expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
  };
}
