import type { WaypostError } from "@waypost/sdk";
import { Command, CommanderError, Option } from "commander";
import { addConsoleCommand } from "./console-link.ts";
import { UsageError } from "./errors.ts";
import { addExportCommand } from "./export.ts";
import { addImportCommand } from "./import.ts";
import { addListenCommand } from "./listen/listen.ts";
import { addOperatorCommands } from "./operate.ts";
import { addQuarantineCommands } from "./quarantine.ts";
import { addSendCommand } from "./send.ts";
import { VERSION } from "./version.ts";

/** Exit codes: the command is done, has failed, or was not understood. */
const DONE = 0;
const FAILED = 1;
const MISUSED = 2;

/**
 * The command line; resolves with the exit code: 0 done, 1 failed, 2 not understood. A command loads the gateway or the client when it
 * runs: to load them took 0.6 of the 0.7 s of CPU that `waypost --version` needed.
 */
export async function run(argv: readonly string[]): Promise<number> {
  let code = DONE;
  const settle = (result: number): void => {
    code = result;
  };
  const program = createProgram();
  addServerCommands(program, settle);
  addOperatorCommands(program);
  addQuarantineCommands(program);
  addConsoleCommand(program, settle);
  addSendCommand(program, settle);
  addImportCommand(program, settle);
  addExportCommand(program);
  addListenCommand(program);
  try {
    await program.parseAsync(argv);
    return code;
  } catch (error) {
    return await explain(error);
  }
}

function createProgram(): Command {
  return new Command("waypost")
    .description("Self-hosted business messaging gateway")
    .version(VERSION)
    .exitOverride()
    .configureOutput({
      outputError: (text, write) => write(`waypost: ${inOneLine(text)}; see waypost --help\n`),
    });
}

const inOneLine = (text: string): string =>
  text
    .trim()
    .replace(/^error: /, "")
    .replaceAll(/\s*\n\s*/g, " ");

function addServerCommands(program: Command, settle: (code: number) => void): void {
  program
    .command("serve")
    .description("apply pending migrations, then run the gateway")
    .option("--roles <list>", "api, ingress, dispatch, deliver, maintenance; all by default")
    .option("--no-migrate", "migrations are applied by other means")
    .addOption(new Option("--until-set-up", "not ready until the parent process says so").hideHelp())
    .action(async ({ untilSetUp, ...options }: { roles?: string; migrate: boolean; untilSetUp?: true }) => {
      // Listens first: the parent may say so while the gateway is loaded.
      const setUp = untilSetUp ? { setUp: setUpByParent() } : {};
      const { serve } = await import("@waypost/server");
      settle(await serve({ ...options, ...setUp }));
    });
  program
    .command("migrate")
    .description("bring the database up to this version (DATABASE_DIRECT_URL or DATABASE_URL)")
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
    .action(async () => {
      const { doctor } = await import("./doctor.ts");
      settle((await doctor(process.env, (line) => console.log(line))) ? DONE : FAILED);
    });
}

/** Resolves with the first message of `npm start`, which starts the gateway with a channel and sets up the demo beside it. */
async function setUpByParent(): Promise<void> {
  const message = new Promise<void>((resolve) => process.once("message", () => resolve()));
  process.channel?.unref(); // no reason to go on after a stop
  await message;
  if (process.connected) process.disconnect();
}

async function explain(error: unknown): Promise<number> {
  // Commander has printed its own line; help and version are not failures.
  if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : MISUSED;
  if (error instanceof UsageError) return misused(error);
  const { InvalidCallError, WaypostError } = await import("@waypost/sdk");
  if (error instanceof InvalidCallError) return misused(error);
  console.error(`waypost: ${error instanceof WaypostError ? await refused(error) : await broken(error)}`);
  return FAILED;
}

function misused({ message }: Error): number {
  console.error(`waypost: ${message}`);
  return MISUSED;
}

const refused = async (error: WaypostError): Promise<string> => (await import("./refusal.ts")).refusalLine(error);
const broken = async (error: unknown): Promise<string> => (await import("@waypost/server")).startFault(error);
