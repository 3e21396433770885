import { type Command, Option as FlagOption } from "commander";
import type { Invocation } from "../connection.ts";
import { UsageError } from "../errors.ts";
import { BASE_URL, JSON_OPTION, printJson, printJsonLine, printRecord, Table } from "../output.ts";
import { complain } from "../stderr.ts";
import type { Argument, Call, Declared, Given, Group, Option, Outcome } from "./command.ts";

/** Adds the commands of a group below its name. */
export function addGroup(program: Command, { name, does, commands, groups = [] }: Group, invocation: Invocation): void {
  const parent = program.command(name).description(does);
  for (const declared of commands) addCommand(parent, declared, invocation);
  for (const group of groups) addGroup(parent, group, invocation);
}

/** Adds one command, with what all of them have: the address, `--json`, and an example in its help. */
export function addCommand(parent: Command, declared: Declared, invocation: Invocation): void {
  const { name, does, argument, options = [], example } = declared;
  const command = parent.command(name).description(does);
  if (argument !== undefined)
    command.argument(argument.isOptional ? `[${argument.name}]` : `<${argument.name}>`, argument.does);
  const flags = options.map((option) => ({ option, flag: flagOf(option) }));
  for (const { flag } of flags) command.addOption(flag);
  command.option(...JSON_OPTION);
  if (declared.key !== "none") command.option(...BASE_URL);
  command.addHelpText("after", `\nExample:\n  $ waypost ${example}`);
  command.action(async (...values: unknown[]) => {
    const given: Record<string, Given[string]> = {};
    const set = command.opts<Record<string, string | boolean | undefined>>();
    for (const { option, flag } of flags) {
      const value = set[flag.attributeName()];
      if (value !== undefined) given[option.name] = valueOf(option, value);
    }
    const word = argument === undefined ? "" : argumentOf(argument, values[0]);
    await runDeclared(declared, { argument: word, given, isJson: set["json"] === true }, invocation, set["baseUrl"]);
  });
}

async function runDeclared(
  declared: Declared,
  input: Pick<Call, "argument" | "given" | "isJson">,
  invocation: Invocation,
  address: unknown,
): Promise<void> {
  const baseUrl = typeof address === "string" ? address : undefined;
  const stop = new AbortController();
  const end = (): void => stop.abort();
  if (declared.isEndless) for (const signal of SIGNALS) process.once(signal, end);
  try {
    const outcome = await declared.run({
      ...input,
      signal: stop.signal,
      workspace: () => invocation.workspace(baseUrl),
      operator: () => invocation.operator(baseUrl),
      connection: () => invocation.workspaceConnection(baseUrl),
      notice: complain,
      settle: (code) => invocation.settle(code),
    });
    await print(outcome, input.isJson);
  } finally {
    for (const signal of SIGNALS) process.off(signal, end);
  }
}

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

async function print(outcome: Outcome, isJson: boolean): Promise<void> {
  if (outcome === null) return;
  if ("one" in outcome) return isJson ? printJson(outcome.one) : printRecord(outcome.one);
  const { rows, columns, most } = outcome;
  const table = isJson ? null : new Table(columns);
  let count = 0;
  for await (const row of rows) {
    if (table === null) printJsonLine(row);
    else table.add(row);
    count += 1;
    if (count === most) break;
  }
  table?.end();
  if (table !== null && count === most) complain(`these are the first ${most}; --limit gives more`);
}

function flagOf(option: Option): FlagOption {
  const flag = new FlagOption(flagsOf(option), doesOf(option)).makeOptionMandatory(option.isRequired === true);
  // For completion. What is given is checked below, with a line that says what is needed.
  if (option.choices !== undefined) flag.argChoices = [...option.choices];
  return flag;
}

/** As the API writes it, with hyphens. */
const longFlag = ({ name }: Option): string => `--${name.replaceAll("_", "-")}`;

function flagsOf(option: Option): string {
  if (option.kind === "flag") return longFlag(option);
  return `${longFlag(option)} <${option.kind ?? "text"}>`;
}

const doesOf = ({ does, choices }: Option): string => (choices === undefined ? does : `${does}: ${choices.join(", ")}`);

/** RFC 3339 with its offset, as the API needs it. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

function valueOf(option: Option, value: string | boolean): Given[string] {
  if (typeof value === "boolean") return value;
  const flag = longFlag(option);
  if (value === "") throw new UsageError(`${flag} is empty`);
  const parts = option.kind === "list" ? value.split(",").map((part) => part.trim()) : [value];
  if (parts.includes("")) throw new UsageError(`${flag} needs values with commas between them, such as a,b`);
  const wrong = option.choices && parts.find((part) => !option.choices?.includes(part));
  if (wrong !== undefined) throw new UsageError(`${flag} needs one of ${option.choices?.join(", ")}, not ${wrong}`);
  if (option.kind === "time" && !(TIME.test(value) && !Number.isNaN(Date.parse(value))))
    throw new UsageError(`${flag} needs a time such as 2030-01-31T09:30:00Z, not ${value}`);
  if (option.kind === "number" && !/^[1-9]\d{0,8}$/.test(value))
    throw new UsageError(`${flag} must be a whole number from 1 on, not ${value}`);
  return option.kind === "list" ? parts : option.kind === "number" ? Number(value) : value;
}

function argumentOf({ name, prefix, isOptional }: Argument, value: unknown): string {
  if (typeof value !== "string") {
    if (isOptional) return "";
    throw new UsageError(`the ${name} is missing`);
  }
  if (value === "") throw new UsageError(`the ${name} is empty`);
  if (prefix !== undefined && !value.startsWith(prefix))
    throw new UsageError(`the id must begin with ${prefix}, unlike ${value}`);
  return value;
}
