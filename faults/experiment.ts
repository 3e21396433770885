import type { Lab } from "./lab.ts";

/** What an experiment claims, and how it tries to break it. */
export type Experiment = {
  /** In one sentence. */
  promise: string;
  run(lab: Lab): Promise<Result>;
};

export type Result = { figures: Figures; bounds: Bound[] };

/** The columns of the table; what an experiment does not look at is absent. */
export type Figures = {
  /** Answered 202, or 200 for callbacks. */
  accepted?: number;
  lost?: number;
  doubled?: number;
  inversions?: number;
  /** Ended as `unknown` although, or because, the provider had got them. */
  unknownReached?: number;
  unknownUnsent?: number;
  /** Of those who were not meant to be touched: milliseconds from ready to there, and the longest time without any. */
  stallP99Ms?: number;
  longestGapMs?: number;
};

export type Bound = { what: string; value: number; unit: string; holds: boolean; bound: string };

export const atMost = (what: string, value: number, most: number, unit = ""): Bound => ({
  what,
  value,
  unit,
  holds: value <= most,
  bound: `≤ ${shown(most)}`,
});

export const atLeast = (what: string, value: number, least: number, unit = ""): Bound => ({
  what,
  value,
  unit,
  holds: value >= least,
  bound: `≥ ${shown(least)}`,
});

/** The bound of what must never happen, and of what must always. */
export const none = (what: string, value: number): Bound => atMost(what, value, 0);

export const shown = (value: number): string =>
  value.toLocaleString("en-US", { maximumFractionDigits: Math.abs(value) < 10 ? 2 : 0 });
