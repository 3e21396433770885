import { compare, type Figures, isRate, mark, median, written } from "./figures.ts";
import type { Measured } from "./measure.ts";
import type { Part } from "./part.ts";

/** One build: the median of each figure, its range over the rounds, and its bound. */
export function show(part: Part, { slices, rows, memory }: Measured): string {
  const lines = Object.keys(slices[0] ?? {}).map((name) => {
    const values = slices.map((slice) => slice[name] ?? Number.NaN);
    const range = `${written(Math.min(...values))} – ${written(Math.max(...values))}`;
    return line(name, [median(values)], `${range.padEnd(20)} ${mark(median(values), part.bounds?.[name])}`);
  });
  return [
    `${part.name}: ${part.title}`,
    ...lines,
    ...Object.entries(rows).map(([name, value]) => line(name, [value])),
    memoryLine(memory),
    "",
  ].join("\n");
}

/** Two builds: for each figure the medians, their ratio, the median of the ratios of the pairs, and the range of these. */
export function showRatios(part: Part, before: Measured, now: Measured): string {
  const names = Object.keys(before.slices[0] ?? {});
  const ofSlices = (name: string): string => {
    const of = ({ slices }: Measured): number[] => slices.map((slice) => slice[name] ?? Number.NaN);
    const found = compare(of(before), of(now));
    const ratios = [found.ratio, found.pairs].map((ratio) => ratio.toFixed(3).padStart(8)).join("");
    return line(
      name,
      [found.before, found.now],
      `${ratios}   ${`${found.lowest.toFixed(3)} – ${found.highest.toFixed(3)}`.padEnd(16)} ${mark(found.pairs, part.ratios?.[name])}`,
    );
  };
  const ofRows = Object.keys(before.rows).map((name) => {
    const [was, is] = [before.rows[name] ?? Number.NaN, now.rows[name] ?? Number.NaN];
    return line(name, [was, is], (is / was).toFixed(3).padStart(8));
  });
  return [
    `${part.name}: ${part.title}`,
    `${" ".repeat(NAME)}${[before.name, now.name].map((word) => word.padStart(VALUE)).join("")}   ratio  of pairs  range of pairs`,
    "  higher is better",
    ...names.filter(isRate).map(ofSlices),
    "  lower is better",
    ...names.filter((name) => !isRate(name)).map(ofSlices),
    ...ofRows,
    `  ${before.name.padEnd(6)}${memoryLine(before.memory)}`,
    `  ${now.name.padEnd(6)}${memoryLine(now.memory)}`,
    "",
  ].join("\n");
}

const NAME = 40;
const VALUE = 12;

function line(name: string, values: readonly number[], rest = ""): string {
  return `    ${name.padEnd(NAME - 4)}${values.map((value) => written(value).padStart(VALUE)).join("")}   ${rest}`.trimEnd();
}

/** Pages that PostgreSQL's processes share are counted in each of them. */
function memoryLine(memory: Figures): string {
  const of = (name: string): string => `${name} ${memory[`${name} MiB`]} (peak ${memory[`${name} peak MiB`]})`;
  const names = ["gateway", "PostgreSQL", "load", "stub"].filter((name) => `${name} MiB` in memory);
  return `    MiB: ${names.map(of).join(", ")}`;
}
