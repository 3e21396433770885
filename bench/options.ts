/** What the environment and the command line say of a run; README.md explains them. Null: as the part has it by default. */
export type Options = {
  rounds: number | null;
  seconds: number;
  amount: number;
  workspaces: number | null;
  endpoints: number;
  oldDatabase: boolean;
  processes: number;
  comparing: boolean;
};

/** Short rounds for a comparison: what differs is seen in their pairs, and the machine changes less within a pair. */
export function readOptions(comparing: boolean, processes: string | undefined): Options {
  const age = process.env["BENCH_DATABASE"] || "new";
  if (age !== "new" && age !== "old") throw new Error("BENCH_DATABASE is new or old");
  return {
    rounds: numberOf("BENCH_ROUNDS"),
    seconds: numberOf("BENCH_SECONDS") ?? (comparing ? 2 : 5),
    amount: numberOf("BENCH_SENDS") ?? (comparing ? 2_000 : 5_000),
    workspaces: numberOf("BENCH_WORKSPACES"),
    endpoints: numberOf("BENCH_ENDPOINTS") ?? 0,
    oldDatabase: age === "old",
    processes: numberIn("--processes", processes) ?? 1,
    comparing,
  };
}

const numberOf = (name: string): number | null => numberIn(name, process.env[name]);

function numberIn(name: string, text: string | undefined): number | null {
  if (text === undefined || text === "") return null;
  const value = Number(text);
  if (!(value > 0)) throw new Error(`${name} must be a number above 0`);
  return value;
}
