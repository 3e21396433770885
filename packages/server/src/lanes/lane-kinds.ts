/** Kinds of deferred work; the number is stored in `slot.kind` and in notifications. */
export const LANE_KINDS = { dispatch: 1, deliver: 2, ingest: 3, task: 4 } as const;
export type LaneKindName = keyof typeof LANE_KINDS;

/** Slots of a kind. Stored in the database at install and refused when different. */
export const SLOTS = 64;

/** The slot of a lane. */
export const slotOf = (lane: number): number => lane % SLOTS;

/**
 * Announces that rows of these slots were committed: in this process at once, to others by a debounced NOTIFY. Only a hint;
 * polling finds every row without it.
 */
export type LaneNotifier = {
  hint(kind: LaneKindName, slots: Iterable<number>): void;
};
