/** Kinds of deferred work; the number is stored in `slot.kind` and in notifications. */
export const LANE_KINDS = { dispatch: 1, deliver: 2, ingest: 3, task: 4, redeliver: 5, fetch: 6 } as const;
export type LaneKindName = keyof typeof LANE_KINDS;

/** Slots of a kind. Stored in the database at install and refused when different. */
export const SLOTS = 64;

/** All slots of a kind. */
export const ALL_SLOTS: readonly number[] = Array.from({ length: SLOTS }, (_, slot) => slot);

/** The slot of a lane. */
export const slotOf = (lane: number): number => lane % SLOTS;

/** The slot of a lane in SQL; `lane` is an expression. */
export const slotOfLane = (lane: string): string => `(${lane} % ${SLOTS})::smallint`;

/** State of a queue row of kinds that begin attempts: no attempt is in progress. */
export const READY = 0;
/** An attempt of the row was begun and its outcome is not stored yet. */
export const STARTED = 1;
/** The outcome of the row's attempt was lost. */
export const UNKNOWN = 2;
