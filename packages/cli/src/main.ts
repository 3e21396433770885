import { install, serve, startFault } from "@waypost/server";
import { Command } from "commander";

/** The command line; resolves with the exit code. */
export async function run(argv: readonly string[]): Promise<number> {
  let code = 0;
  const program = new Command("waypost").description("Self-hosted business messaging gateway");
  program
    .command("serve")
    .description("apply pending migrations, then run the gateway")
    .option("--roles <list>", "api, ingress, dispatch, deliver, maintenance; all by default")
    .option("--no-migrate", "somebody else migrates")
    .action(async (options: { roles?: string; migrate: boolean }) => {
      code = await serve(options);
    });
  program
    .command("migrate")
    .description("bring the database up to this version (DATABASE_DIRECT_URL or DATABASE_URL)")
    .action(async () => {
      const url = process.env["DATABASE_DIRECT_URL"] ?? process.env["DATABASE_URL"];
      if (!url) throw new Error("DATABASE_URL is missing: PostgreSQL 15 or newer");
      await install(url, { log: (text) => console.log(text) });
      console.log("The database is up to date.");
    });
  try {
    await program.parseAsync(argv);
  } catch (error) {
    process.stderr.write(`waypost: ${startFault(error)}\n`);
    return 1;
  }
  return code;
}
