/** docs/cli.md: every command, as the code declares it. */
export function cliPage(program, declared) {
  const shown = program.commands.filter((command) => command.name() !== "help");
  const first = new Set(declared.map(({ words }) => words.split(" ")[0]));
  const others = shown.filter((command) => !first.has(command.name()));
  return `<!-- Made by \`npm run generate\` from the commands. Do not edit. -->

# The command line

\`waypost\` runs a gateway, looks after it, and calls its API. In a clone it is \`node_modules/.bin/waypost\`: this one needs no
network and can be no other program, unlike what \`npx\` finds under a name.

- **Which gateway**: \`--base-url\`, else \`WAYPOST_BASE_URL\`, else the one that \`npm start\` has written to \`dev.json\` in \`WAYPOST_DATA_DIR\` or
  in \`data\` of this folder or of one above. A line on standard error says so when a key of that file is used.
- **Which key**: \`WAYPOST_API_KEY\` of a workspace, \`WAYPOST_OPERATOR_KEY\` of the operator, else those of the same \`dev.json\`. Keys are not
  taken from the command line, which every process of the machine can read.
- **What is printed**: a table of a list, and the fields of one thing. With \`--json\` what the API answers: one JSON value, and of a list one object a line
  (NDJSON), so that \`jq\` and \`while read\` take both; every command has it, and those without the API say below what it prints. Notices and errors are
  lines of text on standard error, with \`--json\` too.
- **Exit codes**: 0 done, 1 failed or refused, 2 not understood. A refusal is one line with the error's code, what to do, the id of the request and the
  address that was asked.
- **Options** are called as in the API: \`created_after\` is \`--created-after\`. Lists print 25 at most unless \`--limit\` says otherwise, and read
  page by page.
- **Completion**: \`source <(waypost completion bash)\`, or \`zsh\`; \`waypost completion fish | source\`.

| Command | |
| --- | --- |
${shown.map((command) => `| \`${command.name()}\` | ${cell(command.description())} |`).join("\n")}

\`waypost <command> --help\` says the same as this page.

## Moving the clock

\`waypost clock\` moves the clocks of gateway and simulator of \`npm start\` together, so that windows close, retries come due and months pass while
you look on. It needs the embedded database, which no other process shares; a gateway of \`waypost serve\` has no such control.

- All that the gateway plans and stores follows the moved clock, also the times in ids; leases, time limits of calls and the simulator's delays stay
  with the real one. What retention would delete by then is deleted, and sessions of the console end.
- \`reset\` starts the gateway again at the real time, as every start of \`npm start\` is. What was written meanwhile keeps its time, which now lies in the future:
  lists show it first, a retry that was planned waits for its moment, and usage and metrics count new messages again once the real time has passed
  it. For a clean beginning remove the data directory.

${[...others.map(otherSection), ...declared.map(section)].join("\n\n")}
`;
}

/** A command that calls no API: `serve` and the like. */
function otherSection(command) {
  const rows = [
    ...command.registeredArguments.map((argument) => [`<${argument.name()}>`, argument.description]),
    ...command.options.filter(({ hidden }) => !hidden).map(({ flags, description }) => [flags, description]),
  ];
  return sectionOf(command.name(), command.description(), "", exampleOf(command), rows);
}

/** As its help ends. */
function exampleOf(command) {
  let help = "";
  command.configureOutput({ writeOut: (text) => void (help += text) }).outputHelp();
  const [, line] = /^Example:\n {2}\$ (?:waypost )?(.*)$/m.exec(help) ?? [];
  return command.name() === "dev" ? "dev" : line;
}

const KEYS = {
  workspace: "With an API key.",
  operator: "With the operator key.",
  either: "With an API key or the operator key.",
  none: "",
};

function section({ words, declared: { does, key, argument, options = [], example } }) {
  const given = argument === undefined ? "" : argument.isOptional ? ` [${argument.name}]` : ` <${argument.name}>`;
  const rows = [
    ...(argument === undefined ? [] : [[`${given.trim()}`, argument.does]]),
    ...options.map((option) => [flagOf(option), doesOf(option)]),
  ];
  return sectionOf(words, does, KEYS[key], example, rows);
}

function sectionOf(words, does, key, example, rows) {
  const capital = does[0].toUpperCase() + does.slice(1);
  const lines = rows.map(([name, text]) => `| \`${name}\` | ${cell(text)} |`);
  return [
    `## ${words}\n\n${`${capital}. ${key}`.trim()}`,
    `\`\`\`sh\nwaypost ${example}\n\`\`\``,
    ...(lines.length === 0 ? [] : [`| | |\n| --- | --- |\n${lines.join("\n")}`]),
  ].join("\n\n");
}

const flagOf = ({ name, kind, isRequired }) =>
  `--${name.replaceAll("_", "-")}${kind === "flag" ? "" : ` <${kind ?? "text"}>`}${isRequired ? " (needed)" : ""}`;

const doesOf = ({ does, choices }) => (choices === undefined ? does : `${does}: ${choices.join(", ")}`);

const cell = (text) => text.replaceAll("|", "\\|");
