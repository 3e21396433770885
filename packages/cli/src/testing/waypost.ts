import { spawn } from "node:child_process";
import { vi } from "vitest";
import { run } from "../main.ts";

export type Ran = { code: number; out: string; err: string };

/** Runs the command line in this process, as a person types it; resolves with its exit code and what it printed. */
export async function waypost(...args: string[]): Promise<Ran> {
  let out = "";
  let err = "";
  const spies = [
    vi.spyOn(process.stdout, "write").mockImplementation((text, ...rest) => {
      out += String(text);
      const done = rest.at(-1);
      if (typeof done === "function") (done as () => void)(); // the last argument is a callback, if any
      return true;
    }),
    vi.spyOn(process.stderr, "write").mockImplementation((text) => Boolean((err += String(text)))),
    vi.spyOn(console, "log").mockImplementation((text) => void (out += `${text}\n`)),
    vi.spyOn(console, "error").mockImplementation((text) => void (err += `${text}\n`)),
  ];
  try {
    return { code: await run(["node", "waypost", ...args]), out, err };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}

/** What was printed with `--json`: one value, or the objects of a list. */
export function jsonOf<T = ReturnType<typeof JSON.parse>>({ out }: Ran): T {
  return JSON.parse(out) as T; // the test looks at it
}

export const linesOf = ({ out }: Ran): ReturnType<typeof JSON.parse>[] =>
  out
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));

/** The arguments of Node.js for a process of its own. */
export function argumentsOf(args: readonly string[]): string[] {
  const main = new URL("../main.ts", import.meta.url).href;
  const program = `const { run } = await import(${JSON.stringify(main)}); process.exitCode = await run(["node", "waypost", ...process.argv.slice(1)]);`;
  return ["--import", "tsx", "--input-type=module", "--eval", program, "--", ...args];
}

/** Runs the command line as a process of its own, for commands that last until a signal. */
export function spawnWaypost(args: readonly string[], env: Record<string, string | undefined>) {
  const child = spawn(process.execPath, argumentsOf(args), { env: { PATH: process.env["PATH"], ...env } });
  const printed = { out: "", err: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => (printed.out += text));
  child.stderr.setEncoding("utf8").on("data", (text: string) => (printed.err += text));
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve));
  return {
    printed,
    ended,
    /** As Ctrl-C does. */
    interrupt: () => child.kill("SIGINT"),
    kill: () => child.kill("SIGKILL"),
  };
}
