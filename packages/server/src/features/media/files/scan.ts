import { spawn } from "node:child_process";
import { FileStoreUnavailable } from "../../../files/file-store.ts";

/** A large file takes a scanner some seconds; one that hangs must not keep files for ever. */
const SCAN_MS = 120_000;

/**
 * Runs the program of MEDIA_SCAN_COMMAND with the path of a file behind its own arguments, without a shell; true when it ends with 0.
 * Rejects with `FileStoreUnavailable` when it cannot run or does not end: the file is neither clean nor not.
 */
export function scan(command: string, path: string): Promise<boolean> {
  const [program = "", ...given] = command.split(/\s+/).filter((part) => part !== "");
  return new Promise((resolve, reject) => {
    // What it prints may quote the file, and goes nowhere.
    const child = spawn(program, [...given, path], { stdio: "ignore", timeout: SCAN_MS, killSignal: "SIGKILL" });
    const refuse = (cause?: Error): void =>
      reject(new FileStoreUnavailable("the program of MEDIA_SCAN_COMMAND did not come to an end", { cause }));
    child.once("error", refuse);
    child.once("exit", (code) => (code === null ? refuse() : resolve(code === 0)));
  });
}
