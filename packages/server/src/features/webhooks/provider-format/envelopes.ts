import type { App } from "../../../ctx.ts";
import { BatchedCalls, type CallsOf } from "../../../db/batched.ts";
import { formatId } from "../../../lib/ids.ts";
import type { PartEnvelope } from "../../../provider/callback-parts.ts";
import type { EventGroups, EventPart } from "../../events/event-groups.ts";
import { loadRawCallback } from "../../events/raw-callback.ts";
import { digitsOfUuid } from "../../media/digits.ts";
import { signedAddress } from "../../media/signed-address.ts";
import { TEST_KIND } from "../operational-events.ts";
import { loadParts, type PartAnswer } from "./part.store.ts";

/** A callback is up to 3 MiB: this many are in memory. */
const CALLBACKS_AT_ONCE = 4;

/**
 * Events in the provider's own envelope: cut out of the callback that reported them, so that what we do not know of it arrives too, or
 * written from what is kept where there is none.
 */
export class Envelopes {
  readonly #groups: EventGroups;
  readonly #app: Pick<App, "clock" | "config" | "provider" | "secrets">;
  readonly #parts: CallsOf<typeof loadParts>;
  readonly #callbacks: CallsOf<typeof loadRawCallback>;

  constructor(app: Pick<App, "db" | "clock" | "config" | "provider" | "secrets">, groups: EventGroups) {
    const { db, clock } = app;
    this.#groups = groups;
    this.#app = app;
    this.#parts = new BatchedCalls({ db, clock, fn: loadParts, rests: true, group: (row) => row.workspace_id });
    this.#callbacks = new BatchedCalls({
      db,
      clock,
      fn: loadRawCallback,
      group: () => "",
      limits: { rows: 1, inFlight: CALLBACKS_AT_ONCE },
    });
  }

  /**
   * What is posted of an event to an endpoint with these `fields`: all of it where they are null. Null where the endpoint, which is in the
   * provider's format, gets nothing of it.
   */
  async bodyFor(
    { workspaceId, eventId }: { workspaceId: string; eventId: string },
    { kind, body }: { kind: string; body: Buffer },
    { fields }: { fields: readonly string[] | null },
  ): Promise<Buffer | null> {
    if (fields === null) return body;
    const envelope = await this.of(workspaceId, eventId, kind);
    return envelope !== null && (fields.includes(envelope.field) || kind === TEST_KIND) ? envelope.body : null;
  }

  /** Of an event; null where it has none: the provider has no word for it, or it is gone, or its person was erased. */
  async of(workspaceId: string, eventId: string, kind: string): Promise<PartEnvelope | null> {
    if (kind === TEST_KIND) return this.#test(eventId);
    const known = await this.#parts.submit({ workspace_id: workspaceId, id: eventId });
    const found = this.#partOf(workspaceId, known);
    if (found === null) return null;
    return (await this.#cut(known.callback_id, found)) ?? this.#app.provider.writeCallback(found.written);
  }

  /** Whether an endpoint with these `fields` gets something of an event. What is kept of it says of which field it is, mostly. */
  async has(workspaceId: string, eventId: string, fields: readonly string[]): Promise<boolean> {
    const known = await this.#parts.submit({ workspace_id: workspaceId, id: eventId });
    const found = this.#partOf(workspaceId, known);
    if (found === null) return false;
    if (fields.includes(this.#app.provider.writeCallback(found.written).field)) return true;
    const envelope = await this.#cut(known.callback_id, found);
    return envelope !== null && fields.includes(envelope.field);
  }

  #partOf(workspaceId: string, known: PartAnswer): EventPart | null {
    const { kind, provider_phone_number_id: providerPhoneNumberId, phone, provider_account_id: account } = known;
    if (kind === null || known.is_erased) return null;
    const source = {
      kind,
      occurredAt: known.occurred_at ?? 0,
      resourceId: null,
      state: known.state ?? {},
      message: known.message,
      messageId: known.message_id,
      contact: known.contact,
      isErased: false,
      // Of this attempt: an address lives for minutes, and the next attempt may be a day later.
      media: (id: string) => {
        const { url } = signedAddress(this.#app, workspaceId, id, this.#app.clock.now());
        return { id: digitsOfUuid(id), url };
      },
      mintedId: known.minted_id,
      number: providerPhoneNumberId === null ? null : { providerPhoneNumberId, phone, providerAccountId: account },
    };
    return this.#groups.of(kind).part?.(source, this.#app.secrets) ?? null;
  }

  async #cut(id: string | null, { part, own }: EventPart): Promise<PartEnvelope | null> {
    if (id === null) return null;
    const { body } = await this.#callbacks.submit({ id });
    return body === null ? null : this.#app.provider.cutCallback(body, part, own);
  }

  /** A status of no message that there is, and of no number. */
  #test(eventId: string): PartEnvelope {
    return this.#app.provider.writeCallback({
      providerPhoneNumberId: "0",
      providerId: formatId("evt", eventId),
      is: { status: "sent" },
      providerAccountId: "0",
      businessPhone: "+0",
      person: { phone: "+0", userId: null, name: null },
      at: 0,
    });
  }

  /** Resolves when all started calls have ended. */
  async drained(): Promise<void> {
    await Promise.all([this.#parts.drained(), this.#callbacks.drained()]);
  }
}
