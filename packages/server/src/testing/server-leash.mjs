// A process of its own, started by `server.ts`: when the run that holds its standard input has ended, however it ended, it stops the
// server that the run has left and removes its files. The run's own teardown has usually done so already.
import { once } from "node:events";
import { tsImport } from "tsx/esm/api";

// Signals of a terminal go to all processes in it; this one is needed most when they do.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => {});
await once(process.stdin.resume(), "end");
const { removeLeftovers } = await tsImport("./server.ts", import.meta.url);
await removeLeftovers();
