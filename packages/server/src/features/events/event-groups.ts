import type { Secrets } from "../../lib/secrets.ts";
import type { CallbackPart, OwnFile, OwnValues, Written } from "../../provider/callback-parts.ts";
import type { EventShape } from "./event-shape.ts";

/** A row as `row_to_json` writes it, or a part of one. */
export type JsonRow = Record<string, unknown>;

/** What the `data` of an event is rendered from. */
export type EventSource = {
  kind: string;
  /** Milliseconds since the epoch. */
  occurredAt: number;
  /** Uuid of what the event is about, unless that is a message. A contact may have been merged since: then `contact` is the surviving one. */
  resourceId: string | null;
  /** As written with the event: what may have changed since. */
  state: JsonRow;
  /** The rows as they are now; null where the event has none, or where retention or an erasure removed it. */
  message: JsonRow | null;
  contact: JsonRow | null;
  /** The contact was erased: nothing of the person is returned. */
  isErased: boolean;
};

/** What an event is as a part of the provider's callbacks. */
export type PartSource = EventSource & {
  /** Uuid of the message, also where that is gone. */
  messageId: string | null;
  /** Of the message or the call; the phone with `+`. */
  number: { providerPhoneNumberId: string; phone: string | null; providerAccountId: string | null } | null;
  /** The id of a media for the reader, and an address of this moment of its content, by its uuid. */
  media(mediaId: string): OwnFile;
  /**
   * The public id of the message where it was sent from here, else of the one that it names; null where it is the provider's, or the reader
   * gets the provider's.
   */
  mintedId: string | null;
};
/** Where it is in its callback, and what it is written from without one. */
export type EventPart = { part: CallbackPart; written: Written; own: OwnValues };

/**
 * Kinds of events whose `data` has the same shape. The same source must give the same data: an event's body is rendered again
 * by each process and for each retry.
 */
export type EventGroup<Kind extends string = string> = {
  /** `category` of the event, part of the public contract. */
  category: string;
  /** Kinds that an endpoint can subscribe to. */
  kinds: readonly Kind[];
  /** Kinds that only endpoints in the provider's format get, by the fields that they ask for. They are in no feed. */
  unlisted?: readonly Kind[];
  /** True for one group: it also renders kinds that no endpoint can subscribe to, and those that a newer version has written. */
  hasOthers?: true;
  /** The bodies as receivers get them; together these have every kind of the group. */
  shapes: readonly EventShape<string>[];
  data(event: EventSource): JsonRow;
  /** The part of the provider's callbacks that an event is, for endpoints in its format; null: none. */
  part?(event: PartSource, secrets: Secrets): EventPart | null;
};

/** Keeps the kinds of a group as types, so that `emit` can refuse others. */
export const eventGroup = <const Kind extends string>(group: EventGroup<Kind>): EventGroup<Kind> => group;

/** What the API document says of the events of a group. */
export type DescribedEvents = EventShape & { category: string };

export const isRow = (value: unknown): value is JsonRow =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The event groups of all features. */
export class EventGroups {
  /** All kinds that an endpoint can subscribe to. */
  readonly kinds: readonly string[];
  /** What receivers get, kind by kind. */
  readonly shapes: readonly DescribedEvents[];
  readonly #byKind: ReadonlyMap<string, EventGroup>;
  readonly #others: EventGroup | undefined;

  constructor(groups: readonly EventGroup[]) {
    this.#others = groups.find(({ hasOthers }) => hasOthers);
    this.kinds = groups.flatMap(({ kinds }) => kinds);
    this.shapes = groups.flatMap(({ category, shapes }) => shapes.map((shape) => ({ ...shape, category })));
    const all = groups.flatMap((group) => [...group.kinds, ...(group.unlisted ?? [])].map((kind) => ({ kind, group })));
    this.#byKind = new Map(all.map(({ kind, group }) => [kind, group]));
    if (this.#byKind.size < all.length) throw new Error("two features declare the same kind of event");
    const described = new Set(this.shapes.flatMap(({ means }) => Object.keys(means)));
    const bare = this.kinds.filter((kind) => !described.has(kind));
    if (bare.length > 0) throw new Error(`no shape describes the events ${bare.join(", ")}`);
  }

  /** The group of a kind. */
  of(kind: string): EventGroup {
    const group = this.#byKind.get(kind) ?? this.#others;
    if (group === undefined) throw new Error(`no feature declares events of the kind ${kind}`);
    return group;
  }
}
