import type { WaypostError } from "@waypost/sdk";
import { Command, CommanderError } from "commander";
import { addServerCommands } from "./add-server-commands.ts";
import { clockCommand } from "./clock.ts";
import { addCommand, addGroup } from "./commands/add-commands.ts";
import type { Declared, Group } from "./commands/command.ts";
import { GROUPS } from "./commands/groups.ts";
import { addCompletionCommand } from "./completion/completion.ts";
import { type Address, Invocation } from "./connection.ts";
import { consoleCommand } from "./console-link.ts";
import { FailedError, UsageError } from "./errors.ts";
import { exportCommand } from "./export.ts";
import { importCommand } from "./import.ts";
import { listenCommand } from "./listen/listen.ts";
import { sendCommand } from "./send.ts";
import { watchOutput } from "./standard-output.ts";
import { complain, complainAtLength, inOneLine } from "./stderr.ts";
import { triggerCommand } from "./trigger/trigger.ts";
import { VERSION } from "./version.ts";

/** Exit codes: the command is done, has failed, or was not understood. */
const DONE = 0;
const FAILED = 1;
const MISUSED = 2;

/** All but `--version`; resolves with the exit code. Groups load their commands when their name is given. */
export async function runProgram(argv: readonly string[]): Promise<number> {
  const invocation = new Invocation(process.env);
  watchOutput(() => (invocation.outlivesReader ? null : invocation.code));
  try {
    const program = await createProgram(invocation, (name) => argv.includes(name) || argv.includes("completion"));
    await program.parseAsync(argv);
    return invocation.code;
  } catch (error) {
    return await explain(error, invocation.asked);
  }
}

/** All commands; those of a group only where `isNeeded`. */
export async function createProgram(invocation: Invocation, isNeeded: (group: string) => boolean): Promise<Command> {
  const program = new Command("waypost")
    .description("Self-hosted business messaging gateway")
    .version(VERSION)
    .exitOverride()
    // Without what commander adds of choices, which the descriptions have.
    .configureHelp({ optionDescription: ({ description }) => description })
    .configureOutput({
      outputError: (text, write) => write(`waypost: ${inOneLine(commanderLine(text))}; see waypost --help\n`),
    })
    .addHelpText("after", "\nEach command has its own help, with an example: waypost messages list --help");
  addServerCommands(program, invocation);
  for (const declared of aloneCommands(invocation)) addCommand(program, declared, invocation);
  addCompletionCommand(program);
  for (const { name, does, load } of GROUPS) {
    if (isNeeded(name)) addGroup(program, await load(), invocation);
    else program.command(name).description(does);
  }
  return program;
}

/** Commands without a group. */
const aloneCommands = (invocation: Invocation): readonly Declared[] => [
  sendCommand,
  listenCommand,
  importCommand,
  exportCommand,
  triggerCommand(invocation),
  clockCommand(invocation),
  consoleCommand,
];

/** Every command that is declared, by its words: for the page of the documentation, and for tests that walk over all. */
export async function declaredCommands(): Promise<{ words: string; declared: Declared }[]> {
  const alone = aloneCommands(new Invocation({})).map((declared) => ({ words: declared.name, declared }));
  const groups = await Promise.all(GROUPS.map(({ load }) => load()));
  return [...alone, ...groups.flatMap((group) => commandsOf(group))];
}

const commandsOf = ({ name, commands, groups = [] }: Group): { words: string; declared: Declared }[] =>
  [
    ...commands.map((declared) => ({ words: declared.name, declared })),
    ...groups.flatMap((group) => commandsOf(group)),
  ].map(({ words, declared }) => ({ words: `${name} ${words}`, declared }));

/** Without what was given as the value of an unknown option: it may be a key. */
const commanderLine = (text: string): string =>
  text
    .trim()
    .replace(/^error: /, "")
    .replace(/^(unknown option '-[^'=]*)=[^']*'/s, "$1'")
    .replaceAll(/\s*\n\s*/g, " ");

async function explain(error: unknown, asked: Address | null): Promise<number> {
  // Commander has printed its own line; help and version are not failures.
  if (error instanceof CommanderError) return error.exitCode === 0 ? DONE : MISUSED;
  if (error instanceof UsageError) return misused(error);
  if (error instanceof FailedError) return failed(error.message);
  const { InvalidCallError, WaypostError } = await import("@waypost/sdk");
  if (error instanceof InvalidCallError) return misused(error);
  if (error instanceof WaypostError) return failed(await refused(error, asked));
  complainAtLength(await broken(error));
  return FAILED;
}

function failed(text: string): number {
  complain(text);
  return FAILED;
}

function misused({ message }: Error): number {
  complain(message);
  return MISUSED;
}

const refused = async (error: WaypostError, asked: Address | null): Promise<string> =>
  (await import("./refusal.ts")).refusalLine(error, asked);
const broken = async (error: unknown): Promise<string> => (await import("@waypost/server")).startFault(error);
