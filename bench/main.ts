// `npm run bench [-- parts --against <commit> --processes N]`: what one build does beside its bounds, or two builds beside each
// other. All is measured in turns in one run, because absolute figures of one machine move by a factor of two. A missed bound
// is marked; the exit code stays 0.
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { type Build, endChildren, startHelper, THIS_BUILD } from "./children.ts";
import { type Measured, measure, roundsOf } from "./measure.ts";
import { readOptions } from "./options.ts";
import type { Bench } from "./part.ts";
import { PARTS } from "./parts.ts";
import { openPlace } from "./place.ts";
import { show, showRatios } from "./show.ts";
import { worktreeOf } from "./worktree.ts";

/** What must be undone at the end, in any case, in this order: processes, the worktree, PostgreSQL, which takes longest. */
const closing: (() => Promise<void>)[] = [endChildren];

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { against: { type: "string" }, processes: { type: "string" } },
  });
  const names = new Set(PARTS.map(({ name }) => name));
  for (const name of positionals)
    if (!names.has(name)) throw new Error(`there is no part ${name}; there are ${[...names].join(", ")}`);
  const wanted = positionals.length > 0 || values.processes === undefined ? positionals : ["life"];
  const options = readOptions(values.against !== undefined, values.processes);
  const builds = values.against === undefined ? [THIS_BUILD] : [await earlierBuild(values.against), THIS_BUILD];

  const placing = openPlace();
  closing.push(() => placing.then(({ stop }) => stop()));
  const place = await placing;
  const [load, stub, bare] = await Promise.all([startHelper("load"), startHelper("stub"), startHelper("bare")]);
  const bench: Bench = { place, load, stub, bare, options };
  console.log(
    `${place.name} · Node ${process.version} · ${cpus().length} × ${cpus()[0]?.model ?? "?"} · medians of ${roundsOf(bench)} rounds\n`,
  );
  for (const part of PARTS) {
    if (part.onlyNamed || wanted.length > 0 ? !wanted.includes(part.name) : false) continue;
    if ((part.workspaces && options.workspaces) || (part.cases && builds.length > 1)) continue;
    const measured = part.cases?.map(({ name }) => ({ ...THIS_BUILD, name })) ?? builds;
    const [first, second] = (await measure(bench, part, measured)) as [Measured, Measured?];
    console.log(second ? showRatios(part, first, second) : show(part, first));
  }
}

async function earlierBuild(revision: string): Promise<Build> {
  const worktree = await worktreeOf(revision);
  closing.push(worktree.remove);
  console.log(`before: ${worktree.commit} · now: this tree`);
  return await worktree.build();
}

const stopped = new Promise<never>((_resolve, reject) => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const)
    process.on(signal, () => reject(new Error(`ended by ${signal}`)));
});
let code = 0;
try {
  await Promise.race([run(), stopped]);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  code = 1;
}
for (const close of closing) await close().catch((error: unknown) => console.error(error));
// What was cut off by a signal may still wait for something.
process.exit(code);
