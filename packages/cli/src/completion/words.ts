import type { Command } from "commander";

/** What can stand behind the words of a command. */
export type Place = {
  /** Words of the command, such as `messages list`; empty for `waypost` itself. */
  path: string;
  commands: { name: string; does: string }[];
  flags: Flag[];
  /** It has an argument that is a file. */
  takesFile: boolean;
};
export type Flag = { name: string; does: string; hasValue: boolean; values: string[]; takesFile: boolean };

/** Every place of the command line, for a shell to complete it. */
export function placesOf(command: Command, path = ""): Place[] {
  const commands = command.commands.filter((one) => !isHidden(one));
  const flags = command.options
    .filter(({ hidden, long }) => !hidden && long !== undefined)
    .map(({ long, description, required, optional, argChoices }) => ({
      name: long ?? "",
      does: description,
      hasValue: required || optional,
      values: argChoices ?? [],
      takesFile: /(-file|--out)$/.test(long ?? ""),
    }));
  const help: Flag = { name: "--help", does: "show help", hasValue: false, values: [], takesFile: false };
  const place: Place = {
    path,
    commands: commands.map((one) => ({ name: one.name(), does: one.description() })),
    flags: [...flags, help],
    takesFile: command.registeredArguments.some((argument) => argument.name() === "file"),
  };
  return [place, ...commands.flatMap((one) => placesOf(one, `${path} ${one.name()}`.trim()))];
}

const isHidden = (command: Command): boolean => command.name() === "help";
