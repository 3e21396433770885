import { readFile } from "node:fs/promises";
import { text as readAll } from "node:stream/consumers";
import { UsageError } from "../errors.ts";
import { type Group, ID, lists, shows, text } from "./command.ts";
import { setupLinks } from "./setup-links.ts";

const ACCOUNT = ID("acc_", "the account");

export const group: Group = {
  name: "account",
  does: "business accounts at the provider, and their phone numbers",
  commands: [
    lists({
      name: "list",
      does: "list the accounts of the workspace",
      key: "workspace",
      operation: "businessAccounts.list",
      example: "account list",
      columns: ["id", "provider_account_id", "name", "status", "status_reason", "created_at"],
      rows: async function* ({ workspace }, query) {
        yield* (await workspace()).businessAccounts.list(query);
      },
    }),
    shows({
      name: "connect",
      does: "connect an account with a token of the provider, read from WAYPOST_ACCESS_TOKEN or a file",
      key: "workspace",
      operation: "businessAccounts.create",
      example: "account connect --provider-account-id 102290129340398 --access-token-file token.txt",
      options: [
        { name: "provider_account_id", does: "the account's id at the provider", isRequired: true },
        { name: "access_token_file", does: "file with the token; - is standard input", isOwn: true },
      ],
      one: async ({ workspace, given }) => {
        const access_token = await tokenOf(given["access_token_file"]);
        const { businessAccounts } = await workspace();
        return await businessAccounts.create({ provider_account_id: text(given, "provider_account_id"), access_token });
      },
    }),
    shows({
      name: "show",
      does: "show an account with its phone numbers",
      key: "workspace",
      operation: "businessAccounts.get",
      example: "account show acc_01jd0000000000000000000000",
      argument: ACCOUNT,
      one: async ({ workspace, argument }) => (await workspace()).businessAccounts.get(argument),
    }),
    shows({
      name: "disconnect",
      does: "disconnect an account: nothing is sent with its numbers any more",
      key: "workspace",
      operation: "businessAccounts.delete",
      example: "account disconnect acc_01jd0000000000000000000000",
      argument: ACCOUNT,
      one: async ({ workspace, argument }) => {
        const { businessAccounts } = await workspace();
        await businessAccounts.delete(argument);
        return await businessAccounts.get(argument);
      },
    }),
  ],
  groups: [setupLinks],
};

/** Not from the command line, which every process of the machine can read. */
async function tokenOf(path: unknown): Promise<string> {
  const written = typeof path === "string" ? await readToken(path) : (process.env["WAYPOST_ACCESS_TOKEN"] ?? "");
  const token = written.trim();
  if (token === "")
    throw new UsageError("the token is missing: it needs WAYPOST_ACCESS_TOKEN or --access-token-file <file>");
  return token;
}

async function readToken(path: string): Promise<string> {
  if (path === "-") return await readAll(process.stdin);
  return await readFile(path, "utf8").catch(() => {
    throw new UsageError(`there is no file ${path} that can be read`);
  });
}
