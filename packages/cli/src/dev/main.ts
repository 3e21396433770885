import { constants } from "node:os";
import { WaypostError } from "@waypost/sdk";
import { onStopSignal, type StopSignal } from "@waypost/server";
import { refusalLine } from "../refusal.ts";
import { startDev } from "./gateway.ts";

/**
 * `npm start`: database, simulator and gateway, until Ctrl-C. Listens for signals before there is anything to stop. The parent
 * process (scripts/start.mjs) kills everything at a second Ctrl-C, or when stopping takes too long.
 */
const stopAsked = new AbortController();
let interruptedBy: StopSignal = "SIGTERM";

onStopSignal(stopFor);
// The parent process is gone, perhaps by kill -9: without it, nothing would stop this process later.
process.once("disconnect", () => stopFor("SIGTERM"));
// The terminal may be closed first; a line that cannot be written must not keep parts running.
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
      print: (line) => console.log(line),
      reportDatabase,
      stopAsked: stopAsked.signal,
    });
    const asked = new Promise<null>((resolve) => {
      if (stopAsked.signal.aborted) resolve(null);
      stopAsked.signal.addEventListener("abort", () => resolve(null));
    });
    const failure = await Promise.race([asked, dev.failure]);
    if (failure !== null) reportError(failure);
    await dev.stop();
    if (failure !== null) return 1;
    console.log("Everything has stopped.");
    return 0;
  } catch (error) {
    if (stopAsked.signal.aborted) {
      console.log("Everything has stopped.");
      return exitCode();
    }
    reportError(
      error instanceof WaypostError ? refusalLine(error) : error instanceof Error ? error.message : String(error),
    );
    return 1;
  }
}

function reportDatabase(pid: number | null): void {
  if (process.connected) process.send?.({ database: pid }, undefined, undefined, () => undefined);
}

/** The exit code that a shell reports for a program ended by this signal. */
function exitCode(): number {
  return 128 + constants.signals[interruptedBy];
}

function reportError(reason: string): void {
  for (const line of reason.split("\n")) console.error(`waypost: ${line}`);
}
