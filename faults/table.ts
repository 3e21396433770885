import { type Bound, type Figures, type Result, shown } from "./experiment.ts";

const COLUMNS: [keyof Figures, string][] = [
  ["accepted", "accepted"],
  ["lost", "lost"],
  ["doubled", "doubled"],
  ["inversions", "inversions"],
  ["unknownReached", "unknown, reached"],
  ["unknownUnsent", "unknown, unsent"],
  ["stallP99Ms", "others p99 ms"],
  ["longestGapMs", "longest gap ms"],
];

/** One line an experiment, its bounds beneath it; a missed one is marked. */
export function tableOf(results: ReadonlyMap<string, Result | Error>): string {
  const widest = Math.max("experiment".length, ...[...results.keys()].map((name) => name.length));
  const line = (first: string, rest: string[]): string =>
    [first.padEnd(widest), ...rest.map((text, index) => text.padStart(COLUMNS[index]?.[1].length ?? 0))].join("  ");
  const lines = [line("experiment", [...COLUMNS.map(([, title]) => title), "verdict"])];
  for (const [name, result] of results) {
    if (result instanceof Error) {
      lines.push(
        `${line(
          name,
          COLUMNS.map(() => ""),
        )}  ✗`,
        `    could not be run: ${result.message}`,
      );
      continue;
    }
    const figures = COLUMNS.map(([key]) => {
      const value = result.figures[key];
      return value === undefined ? "" : shown(value);
    });
    lines.push(line(name, [...figures, holds(result) ? "✓" : "✗"]), ...result.bounds.map(boundLine));
  }
  return lines.join("\n");
}

export const holds = (result: Result | Error): boolean =>
  !(result instanceof Error) && result.bounds.every((bound) => bound.holds);

export const boundLine = ({ what, value, unit, bound, holds: held }: Bound): string =>
  `    ${held ? "✓" : "✗"} ${what}: ${shown(value)}${unit && ` ${unit}`} (${bound})`;
