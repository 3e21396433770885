import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { errorCode } from "./error.ts";

/** The process of a process id. A zombie has ended, but keeps the id until its parent collects it. */
export type ProcessState = { state: "gone" | "zombie" } | { state: "live"; command: string[] };

export async function inspectProcess(pid: number): Promise<ProcessState> {
  return process.platform === "linux" ? await inspectByProc(pid) : await inspectByPs(pid);
}

/** /proc, because slim containers have no `ps`. */
async function inspectByProc(pid: number): Promise<ProcessState> {
  try {
    const stat = await readFile(`/proc/${pid}/stat`, "latin1");
    // The second field is the name in brackets and may contain any character, including brackets.
    const state = stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3);
    if (state === "Z" || state === "X") return { state: "zombie" };
    const command = await readFile(`/proc/${pid}/cmdline`, "utf8");
    // It is ending: its memory is freed a moment before its state changes.
    if (command === "") return { state: "zombie" };
    return { state: "live", command: command.split("\0").slice(0, -1) };
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes(errorCode(error) ?? "")) return { state: "gone" };
    throw error;
  }
}

async function inspectByPs(pid: number): Promise<ProcessState> {
  const output = await new Promise<string>((resolve) => {
    execFile("ps", ["-o", "stat=,args=", "-p", String(pid)], (error, stdout) =>
      resolve(error === null ? stdout.trim() : ""),
    );
  });
  if (output === "") return { state: "gone" };
  const [, stat = "", args = ""] = /^(\S+)\s+(.*)$/s.exec(output) ?? [];
  return stat.startsWith("Z") ? { state: "zombie" } : { state: "live", command: args.split(" ") };
}
