import type { ApiKeyInput } from "@waypost/sdk";
import { UsageError } from "../errors.ts";
import { type Given, type Group, ID, lists, shows, text } from "./command.ts";

const KEY = ID("key_", "the key");
const OF_WORKSPACE = {
  name: "workspace",
  does: "ws_…, with the operator key; by default the workspace of the API key",
  isOwn: true,
} as const;

export const group: Group = {
  name: "key",
  does: "API keys of a workspace",
  commands: [
    lists({
      name: "list",
      does: "list keys, also those that were revoked or have expired",
      key: "either",
      operation: "apiKeys.list",
      example: "key list",
      options: [OF_WORKSPACE],
      columns: ["id", "name", "hint", "scopes", "expires_at", "revoked_at", "last_used_at"],
      rows: async function* ({ workspace, operator, given }, query) {
        const { workspace: _id, ...rest } = query as { workspace?: string };
        if (given["workspace"] === undefined) yield* (await workspace()).apiKeys.list(rest);
        else yield* (await operator()).workspaces.listApiKeys(text(given, "workspace"), rest);
      },
    }),
    shows({
      name: "create",
      does: "create a key; its text is printed only once",
      key: "either",
      operation: "apiKeys.create",
      example:
        "key create --workspace ws_01jd0000000000000000000000 --name shop --scopes messages:write,templates:read",
      options: [
        OF_WORKSPACE,
        { name: "name", does: "what uses it", isRequired: true },
        { name: "scopes", does: "such as messages:read,messages:write; all by default", kind: "list" },
        { name: "expires_at", does: "never by default", kind: "time" },
        { name: "phone_number_ids", does: "num_…: it sends with these numbers alone", kind: "list" },
      ],
      one: async ({ workspace, operator, given }) => {
        const input = inputOf(given);
        if (given["workspace"] === undefined) return await (await workspace()).apiKeys.create(input);
        return await (await operator()).workspaces.createApiKey(text(given, "workspace"), input);
      },
    }),
    shows({
      name: "rotate",
      does: "replace a key by a new one; the old one lives on for a day, or as long as you say",
      key: "workspace",
      operation: "apiKeys.rotate",
      example: "key rotate key_01jd0000000000000000000000 --overlap-seconds 3600",
      argument: KEY,
      options: [{ name: "overlap_seconds", does: "how long the old key lives on; 0 ends it at once" }],
      one: async ({ workspace, argument, given }) =>
        (await workspace()).apiKeys.rotate(argument, overlapOf(given["overlap_seconds"])),
    }),
    shows({
      name: "revoke",
      does: "revoke a key, in every process within five seconds",
      key: "workspace",
      operation: "apiKeys.delete",
      example: "key revoke key_01jd0000000000000000000000",
      argument: KEY,
      one: async ({ workspace, argument }) => {
        const { apiKeys } = await workspace();
        await apiKeys.delete(argument);
        return await apiKeys.get(argument);
      },
    }),
  ],
};

function inputOf({ name, scopes = ["*"], expires_at, phone_number_ids }: Given): ApiKeyInput {
  return {
    name: String(name),
    scopes: scopes as ApiKeyInput["scopes"], // the gateway refuses unknown ones
    ...(expires_at === undefined ? {} : { expires_at: String(expires_at) }),
    ...(Array.isArray(phone_number_ids) ? { phone_number_ids: [...phone_number_ids] } : {}),
  };
}

function overlapOf(value: Given[string]): { overlap_seconds?: number } {
  if (value === undefined) return {};
  const seconds = Number(value);
  if (!Number.isInteger(seconds) || seconds < 0)
    throw new UsageError("--overlap-seconds must be a whole number from 0 on");
  return { overlap_seconds: seconds };
}
