// `npm run bench [-- accept sends latency statuses callbacks]`: each figure beside its bound, measured in turns in one run,
// because absolute figures of one machine move by a factor of two. A missed bound is marked; the exit code stays 0.
import { cpus } from "node:os";
import { accept } from "./accept.ts";
import { type Bench, ROUNDS } from "./bench.ts";
import { callbacks } from "./callbacks.ts";
import { startHelper } from "./children.ts";
import { openPlace } from "./place.ts";
import { latency, sends, statuses } from "./sends.ts";

const PARTS: Record<string, (bench: Bench) => Promise<void>> = { accept, sends, latency, statuses, callbacks };

async function run(wanted: readonly string[]): Promise<void> {
  for (const name of wanted)
    if (!(name in PARTS)) throw new Error(`there is no part ${name}; there are ${Object.keys(PARTS).join(", ")}`);
  const place = await openPlace();
  const helpers = await Promise.all([startHelper("load"), startHelper("stub"), startHelper("bare")]);
  const [load, stub, bare] = helpers;
  console.log(
    `${place.name} · Node ${process.version} · ${cpus().length} × ${cpus()[0]?.model ?? "?"} · medians of ${ROUNDS} rounds\n`,
  );
  try {
    for (const [name, part] of Object.entries(PARTS))
      if (wanted.length === 0 || wanted.includes(name)) await part({ place, load, stub, bare });
  } finally {
    for (const helper of helpers) await helper.stop();
    await place.stop();
  }
}

await run(process.argv.slice(2));
