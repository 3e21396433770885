import type { App } from "../../ctx.ts";
import type { Problem } from "../../http/problem.ts";
import { parseId } from "../../lib/ids.ts";
import type { Senders } from "../accounts/numbers/senders.ts";
import type { Listeners } from "../events/listeners.ts";
import type { Templates } from "../templates/cache.ts";
import { Accept } from "./accept/accept.ts";
import { Backlogs } from "./accept/backlogs.ts";
import { acceptAll } from "./accept/batch.ts";
import { type KnownOutcome, SettledWaiters } from "./accept/settled-waiters.ts";
import { type Examination, examineMessage, type ValidateDeps } from "./accept/validate.ts";
import type { BatchedMessage } from "./batch-schema.ts";
import { type PublicId, PublicIds } from "./public-id.ts";
import { selectMessageRow } from "./read.store.ts";
import { renderMessage } from "./render.ts";
import type { SendMessage } from "./schema.ts";
import type { Accepting, SendCtx, Sent } from "./send-context.ts";

export type SendingDeps = { senders: Senders; templates: Templates; listeners: Listeners };

/**
 * The entry to sending, for requests and for features that send without one. A process has one, because messages that are accepted
 * at the same time share a call of the database. Bodies have passed their schemas: what no request has brought goes through `readBody`
 * (send-body.ts) first.
 */
export class Sending {
  readonly #app: App;
  readonly #deps: ValidateDeps;
  readonly #accept: Accept;
  /** The callers that wait for the outcomes of their sends. */
  readonly waiters: SettledWaiters;
  readonly #publicIds: PublicIds;

  constructor(app: App, { senders, templates, listeners }: SendingDeps) {
    this.#app = app;
    this.#deps = { db: app.db, senders, templates, backlogs: new Backlogs(app) };
    this.#accept = new Accept(app, { ...this.#deps, listeners });
    this.waiters = new SettledWaiters(app);
    this.#publicIds = new PublicIds(app);
  }

  /** Sends a message: it is committed when this resolves, or was under the same key. Throws the Problem that refuses it. */
  async send(ctx: SendCtx, body: SendMessage): Promise<Sent> {
    const sent = await this.#accept.accept(ctx, ctx.key, body);
    return ctx.wait === null ? sent : await this.#waited(ctx.workspaceId, sent, ctx.wait);
  }

  /**
   * The same for a caller that answers in the provider's form: waits for the outcome as long as `wait` says, and no longer than for the
   * id under which the message is known from then on. Without an outcome by then `outcome` is `waiting`, or `lost`: `decidePublicId` decides.
   */
  async sendAndWait(
    ctx: SendCtx,
    body: SendMessage,
  ): Promise<{ sent: Sent; messageId: string; outcome: KnownOutcome | { kind: "waiting" } }> {
    const sent = await this.#accept.accept(ctx, ctx.key, body);
    const id = uuidOf(sent);
    if (ctx.wait === null) return { sent, messageId: id, outcome: WAITING };
    const { seconds, signal } = ctx.wait;
    const of = { workspaceId: ctx.workspaceId, id, slot: sent.slot, needs: "name" } as const;
    return { sent, messageId: id, outcome: (await this.waiters.settled(of, seconds * 1_000, signal)) ?? WAITING };
  }

  /** The id of a message of the workspace in callbacks and answers in the provider's form, by its uuid; where it has none, it is minted now. */
  decidePublicId(workspaceId: string, messageId: string): Promise<PublicId> {
    return this.#publicIds.decide(workspaceId, messageId);
  }

  /**
   * Sends each message as if by itself, those of a person in their order, and returns what became of each, in the order of the list.
   * A key gives its messages theirs, unless they have their own: repeated with it, nothing is sent twice. `refused` are refusals that
   * are known already, by their index. Throws where the gateway failed with every message.
   */
  sendAll(
    ctx: Omit<SendCtx, "wait">,
    messages: readonly BatchedMessage[],
    refused: ReadonlyMap<number, Problem> = new Map(),
  ): Promise<(Sent | Problem)[]> {
    return acceptAll({ accept: this.#accept, db: this.#app.db, log: this.#app.log }, ctx, messages, refused);
  }

  /** Whether the message would be accepted now, and all that speaks against it. Nothing is written. */
  validate(ctx: Accepting, body: SendMessage): Promise<Examination> {
    return examineMessage(ctx, this.#deps, body);
  }

  async #waited(workspaceId: string, sent: Sent, { seconds, signal }: NonNullable<SendCtx["wait"]>): Promise<Sent> {
    const { db, clock } = this.#app;
    const id = uuidOf(sent);
    await this.waiters.settled({ workspaceId, id, slot: sent.slot }, seconds * 1_000, signal);
    const row = await db.read(workspaceId, (sql) => selectMessageRow(sql, workspaceId, id));
    return row ? { ...sent, message: renderMessage(row, row, clock.now()), waited: true } : sent;
  }

  /** Resolves when no message is being accepted. */
  async stop(): Promise<void> {
    await Promise.all([this.#accept.stop(), this.#deps.backlogs.stop(), this.#publicIds.drained()]);
  }
}

const WAITING = { kind: "waiting" } as const;

const uuidOf = ({ message }: Sent): string => parseId("msg", message.id) as string; // it was formatted as such
