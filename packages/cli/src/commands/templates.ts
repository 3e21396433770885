import { readFile } from "node:fs/promises";
import { text as readAll } from "node:stream/consumers";
import type { NewTemplate } from "@waypost/sdk";
import { UsageError } from "../errors.ts";
import { type Group, ID, lists, shows } from "./command.ts";

const STATUSES = [
  "pending",
  "approved",
  "rejected",
  "paused",
  "disabled",
  "in_appeal",
  "flagged",
  "limit_exceeded",
  "locked",
  "pending_deletion",
  "deleted",
  "archived",
];
const FILE = { name: "file", does: "JSON as `POST /v1/templates` takes it; - is standard input" };

export const group: Group = {
  name: "templates",
  does: "message templates",
  commands: [
    lists({
      name: "list",
      does: "list the templates of all connected accounts",
      key: "workspace",
      operation: "templates.list",
      example: "templates list --status approved",
      options: [
        { name: "name", does: "its whole name" },
        { name: "status", does: "one of", choices: STATUSES },
        { name: "language", does: "such as en_US" },
        { name: "category", does: "such as utility" },
        { name: "phone_number_id", does: "num_…: those that it can send" },
      ],
      columns: ["id", "name", "language.code", "category", "status", "quality", "updated_at"],
      rows: async function* ({ workspace }, query) {
        yield* (await workspace()).templates.list(query);
      },
    }),
    shows({
      name: "show",
      does: "show a template with its components",
      key: "workspace",
      operation: "templates.get",
      example: "templates show tpl_01jd0000000000000000000000",
      argument: ID("tpl_", "the template"),
      one: async ({ workspace, argument }) => (await workspace()).templates.get(argument),
    }),
    shows({
      name: "validate",
      does: "say what a submission would be refused with; the exit code is 1 if there is anything",
      key: "workspace",
      operation: "templates.validate",
      example: "templates validate order_ready.json",
      argument: FILE,
      one: async ({ workspace, argument, settle }) => {
        const template = await readTemplate(argument);
        const found = await (await workspace()).templates.validate(template);
        if (!found.valid) settle(1);
        return found;
      },
    }),
    shows({
      name: "submit",
      does: "submit a template to the provider for review",
      key: "workspace",
      operation: "templates.create",
      example: "templates submit order_ready.json",
      argument: FILE,
      one: async ({ workspace, argument }) => {
        const template = await readTemplate(argument);
        return await (await workspace()).templates.create(template);
      },
    }),
  ],
};

async function readTemplate(path: string): Promise<NewTemplate> {
  const content = await (path === "-" ? readAll(process.stdin) : readFile(path, "utf8")).catch(() => {
    throw new UsageError(`there is no file ${path} that can be read`);
  });
  try {
    const value: unknown = JSON.parse(content);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as NewTemplate; // the gateway checks each field
  } catch {
    // Reported below, like a value of another type.
  }
  throw new UsageError(
    `${path === "-" ? "standard input" : path} needs a JSON object, as \`POST /v1/templates\` takes it`,
  );
}
