import { constants } from "node:os";
import { onStopSignal, type StopSignal } from "@waypost/server";
import { startDev } from "./dev-gateway.ts";

/**
 * `npm start`: everything a newcomer needs, until Ctrl-C. Listens for signals before there is anything to stop. Who started
 * us insists: it kills all of this at a second Ctrl-C, or when stopping takes too long.
 */
const stopAsked = new AbortController();
let interruptedBy: StopSignal = "SIGTERM";

onStopSignal(stopFor);
// Whoever started us is gone, by kill -9 too: nobody could stop us any more.
process.once("disconnect", () => stopFor("SIGTERM"));
// The terminal may be gone before us; a line that cannot be written is no reason to leave things running.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined);

process.exit(await live());

function stopFor(signal: StopSignal): void {
  if (stopAsked.signal.aborted) return;
  interruptedBy = signal;
  console.log("\nStopping … (a second Ctrl-C does not wait)");
  stopAsked.abort();
}

async function live(): Promise<number> {
  try {
    const dev = await startDev(process.env, {
      say: (line) => console.log(line),
      tellDatabase,
      stopAsked: stopAsked.signal,
    });
    const asked = new Promise<null>((resolve) => {
      if (stopAsked.signal.aborted) resolve(null);
      stopAsked.signal.addEventListener("abort", () => resolve(null));
    });
    const failure = await Promise.race([asked, dev.failure]);
    if (failure !== null) complain(failure);
    await dev.stop();
    if (failure !== null) return 1;
    console.log("Everything has stopped.");
    return 0;
  } catch (error) {
    if (stopAsked.signal.aborted) {
      console.log("Everything has stopped.");
      return exitCode();
    }
    complain(error instanceof Error ? error.message : String(error));
    return 1;
  }
}

function tellDatabase(pid: number | null): void {
  if (process.connected) process.send?.({ database: pid }, undefined, undefined, () => undefined);
}

/** As a shell reports a program that a signal ended. */
function exitCode(): number {
  return 128 + constants.signals[interruptedBy];
}

function complain(reason: string): void {
  for (const line of reason.split("\n")) console.error(`waypost: ${line}`);
}
