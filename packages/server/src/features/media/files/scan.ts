import { spawn } from "node:child_process";
import { FileStoreUnavailable } from "../../../files/file-store.ts";
import { environmentOfOthers } from "../../../process/config/config.ts";

/** A large file takes a scanner some seconds; one that hangs must not keep files for ever. */
const SCAN_MS = 120_000;

/**
 * Runs the program of MEDIA_SCAN_COMMAND with the path of a file behind its own arguments, without a shell; true when it ends with 0.
 * Rejects with `FileStoreUnavailable` when it cannot run or does not end before `stopped`: the file is neither clean nor not.
 */
export function scan(command: string, path: string, stopped: AbortSignal): Promise<boolean> {
  const [program = "", ...given] = command.split(/\s+/).filter((part) => part !== "");
  return new Promise((resolve, reject) => {
    // It reads hostile files: it learns nothing of ours. What it prints may quote the file, and goes nowhere. It leads a group, which ends
    // with it: a script may wait for a scanner.
    const child = spawn(program, [...given, path], { stdio: "ignore", env: environmentOfOthers(), detached: true });
    const end = (): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
      } catch {
        // It has ended by itself.
      }
    };
    const late = setTimeout(end, SCAN_MS);
    stopped.addEventListener("abort", end);
    const settle = (outcome: () => void): void => {
      clearTimeout(late);
      stopped.removeEventListener("abort", end);
      outcome();
    };
    const refuse = (cause?: Error): void =>
      reject(new FileStoreUnavailable("the program of MEDIA_SCAN_COMMAND did not come to an end", { cause }));
    child.once("error", (error) => settle(() => refuse(error)));
    child.once("exit", (code) => settle(() => (code === null ? refuse() : resolve(code === 0))));
    if (stopped.aborted) end();
  });
}
