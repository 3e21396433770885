import type { LaneSettings, QueueRow } from "../kind.ts";

/** A fresh row of lane 1 and recipient "a", except for the given fields. */
export const queueRow = (seq: number, more: Partial<QueueRow> = {}): QueueRow => ({
  slot: 1,
  lane: 1,
  due: Number.NEGATIVE_INFINITY,
  seq,
  workspaceId: "w",
  itemId: `item ${seq}`,
  eventId: "",
  key: "a",
  attempt: 0,
  state: 0,
  startedAt: null,
  expiresAt: null,
  ...more,
});

/** Settings of an open, ordered lane without a pace, except for the given fields. */
export const laneSettings = (more: Partial<LaneSettings> = {}): LaneSettings => ({
  fairShareKey: "w",
  workspaceId: "w",
  ratePerSecond: null,
  concurrency: { start: 100, most: 100 },
  ordered: true,
  keyPace: null,
  closed: false,
  ...more,
});
