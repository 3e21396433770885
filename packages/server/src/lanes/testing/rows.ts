import type { LaneSettings, QueueRow } from "../kind.ts";

/** A fresh row of lane 1 and recipient "a", or what the test says. */
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

/** An open, ordered lane without a pace. */
export const laneSettings = (more: Partial<LaneSettings> = {}): LaneSettings => ({
  workspaceId: "w",
  ratePerSecond: null,
  concurrency: { start: 100, most: 100 },
  ordered: true,
  keyPace: null,
  closed: false,
  ...more,
});
