import { VERSION } from "./version.ts";

/**
 * The command line; resolves with the exit code: 0 done, 1 failed, 2 not understood. Scripts ask for the version often: it is answered before
 * anything else is loaded. A command loads the gateway or the client when it runs, which is most of a second.
 */
export async function run(argv: readonly string[]): Promise<number> {
  if (argv.length === 3 && (argv[2] === "--version" || argv[2] === "-V")) {
    process.stdout.once("error", () => {}); // its reader may be gone, and then there is nothing left to say
    console.log(VERSION);
    return 0;
  }
  const { runProgram } = await import("./program.ts");
  return await runProgram(argv);
}
