/** How a state looks: its sign, which tells without colour, and its kind of badge. */
export type Sign =
  | "clock"
  | "dots"
  | "arc"
  | "tick"
  | "ticks"
  | "disc"
  | "speaker"
  | "question"
  | "bars"
  | "flag"
  | "zigzag"
  | "hand"
  | "cross"
  | "dash"
  | "arrow-in";
export type Badge = "wait" | "go" | "good" | "warn" | "bad" | "over" | "plain";

const SIGNS: Readonly<Record<string, readonly [Sign, Badge]>> = {
  scheduled: ["clock", "wait"],
  queued: ["dots", "wait"],
  pending: ["dots", "wait"],
  open: ["clock", "wait"],
  connecting: ["arc", "wait"],
  sending: ["arc", "wait"],
  running: ["arc", "wait"],
  accepted: ["tick", "go"],
  sent: ["tick", "go"],
  delivered: ["ticks", "good"],
  succeeded: ["ticks", "good"],
  completed: ["ticks", "good"],
  done: ["ticks", "good"],
  active: ["ticks", "good"],
  connected: ["ticks", "good"],
  good: ["ticks", "good"],
  read: ["disc", "good"],
  played: ["speaker", "good"],
  opted_in: ["tick", "good"],
  unknown: ["question", "warn"],
  warning: ["question", "warn"],
  paused: ["bars", "warn"],
  flagged: ["flag", "warn"],
  restricted: ["flag", "warn"],
  failing: ["zigzag", "warn"],
  held: ["hand", "warn"],
  bad: ["cross", "bad"],
  failed: ["cross", "bad"],
  rejected: ["cross", "bad"],
  approved: ["ticks", "good"],
  in_appeal: ["hand", "warn"],
  limit_exceeded: ["flag", "warn"],
  locked: ["hand", "warn"],
  pending_deletion: ["dash", "over"],
  archived: ["dash", "over"],
  disconnected: ["cross", "bad"],
  parked: ["cross", "bad"],
  suspended: ["cross", "bad"],
  ending: ["clock", "wait"],
  revoked: ["dash", "over"],
  canceled: ["dash", "over"],
  expired: ["dash", "over"],
  disabled: ["dash", "over"],
  deleted: ["dash", "over"],
  opted_out: ["dash", "over"],
  received: ["arrow-in", "plain"],
};

/** Of a state that this version does not know: a question mark, plain. */
export function signOf(state: string): { sign: Sign; badge: Badge } {
  const [sign, badge] = SIGNS[state] ?? (["question", "plain"] as const);
  return { sign, badge };
}

/** Whether it is a state that has a sign of its own. */
export const hasSign = (state: string): boolean => state in SIGNS;
