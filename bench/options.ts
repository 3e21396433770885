/** What the environment says of a run; README.md has the table. */
export type Options = {
  /** Null: as many as the mode and the part have by default. */
  rounds: number | null;
  /** Length of a round that is measured by time. */
  seconds: number;
  /** Messages of a round that is measured by count. */
  amount: number;
  /** Null: as many as the part has. */
  workspaces: number | null;
  /** Webhook endpoints in all, for those that receive and for those that only exist. */
  endpoints: number;
  /** Whether the databases have the partitions of 16 months. */
  oldHouse: boolean;
  /** Gateway processes of one build. */
  processes: number;
  comparing: boolean;
};

/** Short rounds for a comparison: what differs is told by their pairs, and the machine changes less within a pair. */
export function readOptions(comparing: boolean, processes: number): Options {
  const house = process.env["BENCH_HOUSE"] ?? "new";
  if (house !== "new" && house !== "old") throw new Error("BENCH_HOUSE is new or old");
  return {
    rounds: numberOf("BENCH_ROUNDS"),
    seconds: numberOf("BENCH_SECONDS") ?? (comparing ? 2 : 5),
    amount: numberOf("BENCH_SENDS") ?? (comparing ? 2_000 : 10_000),
    workspaces: numberOf("BENCH_WORKSPACES"),
    endpoints: numberOf("BENCH_ENDPOINTS") ?? 0,
    oldHouse: house === "old",
    processes,
    comparing,
  };
}

function numberOf(name: string): number | null {
  const text = process.env[name];
  if (text === undefined || text === "") return null;
  const value = Number(text);
  if (!(value > 0)) throw new Error(`${name} must be a number above 0`);
  return value;
}
