import { readFileSync } from "node:fs";
import { type Command, Option } from "commander";
import type { Invocation } from "./connection.ts";
import { fromParent } from "./dev/from-parent.ts";
import { UsageError } from "./errors.ts";
import { jsonOption, printJson, printJsonLine } from "./output.ts";
import { complain } from "./stderr.ts";

/** What runs and looks after a gateway on this machine: they call no API. */
export function addServerCommands(program: Command, invocation: Invocation): void {
  addServe(program, invocation);
  program
    .command("migrate")
    .description("bring the database up to this version (DATABASE_DIRECT_URL or DATABASE_URL)")
    .option(...jsonOption("print one object: the migrations that were applied now"))
    .addHelpText("after", example("migrate"))
    .action(({ json }: JsonFlag) => migrate(json === true));
  program
    .command("doctor")
    .description("look at settings, database, roles, migrations and provider; changes nothing")
    .option(...jsonOption("print one object a line, for each check: name, state and text"))
    .addHelpText("after", example("doctor"))
    .action(async ({ json }: JsonFlag) => {
      const { doctor } = await import("./doctor.ts");
      const isWell = await doctor(process.env, { isJson: json === true, print: (line) => console.log(line) });
      invocation.settle(isWell ? 0 : 1);
    });
  const dev = program
    .command("dev")
    .description("say what `npm start` runs on this machine, and its settings")
    .option(...jsonOption("print one object: the settings, and the addresses of the last start"))
    .action(async ({ json }: JsonFlag) => {
      const { devFacts } = await import("./dev/facts.ts");
      if (json) printJson(devFacts(devHelp(), invocation));
      else process.stdout.write(devHelp());
    });
  // It is about another command, and so is its help.
  dev.helpInformation = devHelp;
}

function addServe(program: Command, invocation: Invocation): void {
  program
    .command("serve")
    .description("apply pending migrations, then run the gateway")
    .option("--roles <list>", "api, ingress, dispatch, deliver, maintenance; all by default")
    .option("--no-migrate", "migrations are applied by other means")
    .option(...jsonOption("print its addresses too, once it is up, as a line among those of the log, which are JSON"))
    .addOption(new Option("--until-set-up", "not ready until the parent process says so").hideHelp())
    .addOption(new Option("--movable-clock", "the parent process may move its clock").hideHelp())
    .addHelpText("after", example("serve --roles api,ingress"))
    .action(async ({ untilSetUp, movableClock, json, ...options }: ServeFlags) => {
      // Listens first: the parent may say so while the gateway is loaded.
      const parent = untilSetUp ? fromParent(movableClock === true) : {};
      invocation.outliveReader();
      const { serve } = await import("@waypost/server");
      invocation.settle(await serve({ ...options, ...parent, ...(json ? { onUp: printJsonLine } : {}) }));
    });
}

async function migrate(isJson: boolean): Promise<void> {
  const { install, missingLine, readConfig } = await import("@waypost/server");
  // Only these two: other settings do not matter here.
  const { DATABASE_DIRECT_URL, DATABASE_URL } = process.env;
  const config = readConfig({ DATABASE_DIRECT_URL, DATABASE_URL });
  const url = config.DATABASE_DIRECT_URL ?? config.DATABASE_URL;
  if (url === null) throw new UsageError(missingLine("DATABASE_URL"));
  const applied: string[] = [];
  await install(url, {
    log: isJson ? () => {} : (text) => console.log(text),
    warn: complain,
    onApplied: (names) => applied.push(...names),
  });
  if (isJson) printJson({ applied });
  else console.log("The database is up to date.");
}

const devHelp = (): string => readFileSync(new URL("../dev-help.txt", import.meta.url), "utf8");

const example = (line: string): string => `\nExample:\n  $ waypost ${line}`;

type JsonFlag = { json?: true };
type ServeFlags = JsonFlag & { roles?: string; migrate: boolean; untilSetUp?: true; movableClock?: true };
