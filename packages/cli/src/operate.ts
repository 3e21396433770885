import type { ApiKeyInput } from "@waypost/sdk";
import type { Command } from "commander";
import { operatorOf } from "./connection.ts";
import { UsageError } from "./errors.ts";
import { BASE_URL, printJson } from "./output.ts";

type Scopes = ApiKeyInput["scopes"];

/** Commands of the operator, over the API: `workspace create`, `key create`. Each prints the resource as JSON. */
export function addOperatorCommands(program: Command): void {
  program
    .command("workspace")
    .description("workspaces, with WAYPOST_OPERATOR_KEY")
    .command("create")
    .description("create a workspace")
    .requiredOption("--name <name>", "as people know it")
    .option(...BASE_URL)
    .action(async ({ name, baseUrl }: { name: string; baseUrl?: string }) => {
      const { workspaces } = await operatorOf(baseUrl, process.env);
      printJson(await workspaces.create({ name }));
    });
  program
    .command("key")
    .description("API keys, with WAYPOST_OPERATOR_KEY")
    .command("create")
    .description("create an API key; its text is printed only once")
    .requiredOption("--workspace <id>", "ws_…")
    .requiredOption("--name <name>", "what uses it")
    .option("--scopes <list>", "comma list such as messages:read,messages:write", "*")
    .option("--expires-at <time>", "such as 2030-01-31T00:00:00Z; never by default")
    .option(...BASE_URL)
    .action(async (options: KeyOptions) => {
      const { workspace, name, scopes, expiresAt, baseUrl } = options;
      if (workspace === "") throw new UsageError("--workspace needs the id of a workspace");
      const { workspaces } = await operatorOf(baseUrl, process.env);
      const key = await workspaces.createApiKey(workspace, {
        name,
        scopes: scopes.split(",").map((scope) => scope.trim()) as Scopes, // the gateway refuses unknown ones
        ...(expiresAt === undefined ? {} : { expires_at: expiresAt }),
      });
      printJson(key);
    });
}

type KeyOptions = { workspace: string; name: string; scopes: string; expiresAt?: string; baseUrl?: string };
