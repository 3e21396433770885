import type { Command } from "commander";
import { UsageError } from "../errors.ts";
import { jsonOption, printJson } from "../output.ts";

const SHELLS = ["bash", "zsh", "fish"];

/** `waypost completion`: a script that a shell reads at its start, so that TAB completes commands, options and their values. */
export function addCompletionCommand(program: Command): void {
  program
    .command("completion")
    .description("print a script that lets bash, zsh or fish complete commands")
    .argument("<shell>", "bash, zsh or fish")
    .option(...jsonOption("print one object: shell and script"))
    .addHelpText("after", "\nExample:\n  $ waypost completion bash >> ~/.bashrc")
    .action(async (shell: string, { json }: { json?: true }) => {
      if (!SHELLS.includes(shell)) throw new UsageError(`the shell must be one of ${SHELLS.join(", ")}, not ${shell}`);
      const [{ placesOf }, { bashScript, zshScript, fishScript }] = await Promise.all([
        import("./words.ts"),
        import("./scripts.ts"),
      ]);
      const places = placesOf(program);
      const write = shell === "bash" ? bashScript : shell === "zsh" ? zshScript : fishScript;
      const script = write(places);
      if (json) printJson({ shell, script });
      else process.stdout.write(script);
    });
}
