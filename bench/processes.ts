// What Linux knows of a process (proc(5)).
import { readFileSync } from "node:fs";

/** Resident memory in MiB: now, and the most there has been. */
export type Memory = { now: number; peak: number };

/** Of several processes; pages that they share are counted in each. */
export function memoryOf(pids: readonly number[]): Memory {
  const sum = (field: string): number =>
    pids.reduce(
      (total, pid) => total + Number(new RegExp(`${field}:\\s+(\\d+)`).exec(processFile(pid, "status"))?.[1] ?? 0),
      0,
    );
  return { now: Math.round(sum("VmRSS") / 1_024), peak: Math.round(sum("VmHWM") / 1_024) };
}

/** Processor time spent so far by processes and the children that they have waited for, in milliseconds (ticks of 10 ms). */
export const cpuMs = (pids: readonly number[]): number =>
  pids.reduce(
    (total, pid) =>
      total +
      fieldsOf(pid)
        .slice(11, 15)
        .reduce((sum, ticks) => sum + Number(ticks), 0) *
        10,
    0,
  );

/** Processor time that the main thread of a process has spent so far, in milliseconds, exact. */
export const mainThreadMs = (pid: number): number => Number(processFile(pid, "schedstat").split(" ")[0]) / 1e6;

/** Processes whose parent is `pid`. */
export const childrenOf = (pid: number): number[] =>
  processFile(pid, `task/${pid}/children`).trim().split(" ").filter(Boolean).map(Number);

export const parentOf = (pid: number): number => Number(fieldsOf(pid)[1]);

/** The command as PostgreSQL's processes rewrite it; empty for a process that is not on this machine. */
export const titleOf = (pid: number): string => processFile(pid, "cmdline");

// From the third field on: the second is a name in brackets, which may hold anything.
function fieldsOf(pid: number): string[] {
  const stat = processFile(pid, "stat");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

// Empty for a process that has ended: PostgreSQL's workers come and go.
function processFile(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch (error) {
    if (["ENOENT", "ESRCH"].includes((error as NodeJS.ErrnoException).code ?? "")) return "";
    throw error;
  }
}
