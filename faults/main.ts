// `npm run faults [-- name … --seed N --short]`: breaks real processes in the ways that happen, and lays what they promised beside
// what came of it. Exit code 1 when a bound is missed.
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import type { Result } from "./experiment.ts";
import { type Lab, openLab } from "./lab.ts";
import { EXPERIMENTS } from "./registry.ts";
import { boundLine, holds, tableOf } from "./table.ts";

const USAGE = `npm run faults [-- name … --seed N --short]
Names: ${Object.keys(EXPERIMENTS).join(", ")}; without one, all of them.`;

const { names, seed, short } = asked();

let open: Lab | null = null;
let ending = false;
// Asked twice (by the terminal and by npm) it still ends in order: nothing it started may stay.
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    if (ending) return;
    ending = true;
    const closing = open?.close() ?? Promise.resolve();
    void closing.catch(() => {}).then(() => process.exit(130));
  });

console.log(`seed ${seed}`);
const results = new Map<string, Result | Error>();
for (const name of names) {
  const started = performance.now();
  console.log(`\n${name}: ${EXPERIMENTS[name]?.promise}`);
  const result = await run(name);
  results.set(name, result);
  if (result instanceof Error) console.log(result.stack ?? result.message);
  else for (const bound of result.bounds) console.log(boundLine(bound));
  console.log(`    ${((performance.now() - started) / 1_000).toFixed(0)} s`);
}
console.log(`\n${tableOf(results)}\nseed ${seed}`);
process.exitCode = [...results.values()].every(holds) ? 0 : 1;

/** Each begins from the seed alone, so that one can be repeated without those before it. */
async function run(name: string): Promise<Result | Error> {
  const lab = (open = await openLab({
    seed,
    short,
    say: (line) => console.log(`    ${line}`),
  }));
  try {
    return (await EXPERIMENTS[name]?.run(lab)) ?? new Error("it is gone");
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  } finally {
    open = null;
    await lab.close();
  }
}

/** What the command line asks for; ends the process when it names no known experiment. */
function asked(): { names: string[]; seed: number; short: boolean } {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { seed: { type: "string" }, short: { type: "boolean", default: false }, help: { type: "boolean" } },
    });
    if (values.help) {
      console.log(USAGE);
      process.exit(0);
    }
    const unknown = positionals.find((name) => !(name in EXPERIMENTS));
    if (unknown !== undefined) throw new Error(`There is no experiment ${unknown}.`);
    const chosen = values.seed === undefined ? randomInt(1, 1_000_000) : Number(values.seed);
    if (!Number.isSafeInteger(chosen)) throw new Error("--seed takes a whole number.");
    return {
      names: positionals.length > 0 ? positionals : Object.keys(EXPERIMENTS),
      seed: chosen,
      short: values.short,
    };
  } catch (error) {
    console.error(`${(error as Error).message}\n${USAGE}`);
    process.exit(2);
  }
}
