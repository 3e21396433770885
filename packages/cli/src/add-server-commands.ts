import { readFileSync } from "node:fs";
import { type Command, Option } from "commander";
import { fromParent } from "./dev/from-parent.ts";
import { UsageError } from "./errors.ts";
import { JSON_OPTION } from "./output.ts";

/** What runs and looks after a gateway on this machine: they call no API. */
export function addServerCommands(program: Command, settle: (code: number) => void): void {
  program
    .command("serve")
    .description("apply pending migrations, then run the gateway")
    .option("--roles <list>", "api, ingress, dispatch, deliver, maintenance; all by default")
    .option("--no-migrate", "migrations are applied by other means")
    .addOption(new Option("--until-set-up", "not ready until the parent process says so").hideHelp())
    .addOption(new Option("--movable-clock", "the parent process may move its clock").hideHelp())
    .addHelpText("after", example("serve --roles api,ingress"))
    .action(async ({ untilSetUp, movableClock, ...options }: ServeFlags) => {
      // Listens first: the parent may say so while the gateway is loaded.
      const parent = untilSetUp ? fromParent(movableClock === true) : {};
      const { serve } = await import("@waypost/server");
      settle(await serve({ ...options, ...parent }));
    });
  program
    .command("migrate")
    .description("bring the database up to this version (DATABASE_DIRECT_URL or DATABASE_URL)")
    .addHelpText("after", example("migrate"))
    .action(async () => {
      const { install, missingLine, readConfig } = await import("@waypost/server");
      // Only these two: other settings do not matter here.
      const { DATABASE_DIRECT_URL, DATABASE_URL } = process.env;
      const config = readConfig({ DATABASE_DIRECT_URL, DATABASE_URL });
      const url = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL;
      if (url === null) throw new UsageError(missingLine("DATABASE_URL"));
      await install(url, {
        log: (text) => console.log(text),
        warn: (text) => console.error(`waypost: ${text}`),
      });
      console.log("The database is up to date.");
    });
  program
    .command("doctor")
    .description("look at settings, database, roles, migrations and provider; changes nothing")
    .option(...JSON_OPTION)
    .addHelpText("after", example("doctor"))
    .action(async ({ json }: { json?: true }) => {
      const { doctor } = await import("./doctor.ts");
      const isWell = await doctor(process.env, { isJson: json === true, print: (line) => console.log(line) });
      settle(isWell ? 0 : 1);
    });
  program
    .command("dev")
    .description("say what `npm start` runs on this machine, and its settings")
    .helpOption(false)
    .allowUnknownOption()
    .allowExcessArguments()
    .action((_options: object, { args }: Command) => {
      const other = args.find((word) => word !== "--help" && word !== "-h");
      if (other !== undefined) throw new UsageError(`dev takes --help and nothing else, not ${other}`);
      process.stdout.write(readFileSync(new URL("../dev-help.txt", import.meta.url), "utf8"));
    });
}

const example = (line: string): string => `\nExample:\n  $ waypost ${line}`;

type ServeFlags = { roles?: string; migrate: boolean; untilSetUp?: true; movableClock?: true };
