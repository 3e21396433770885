import type { Declared } from "./commands/command.ts";
import { FailedError } from "./errors.ts";

/** `waypost console`: another link that signs in, like the one that `npm start` prints. */
export const consoleCommand: Declared = {
  name: "console",
  does: "print a link that signs in to the console of `npm start`, once within ten minutes",
  key: "workspace",
  example: "console",
  run: async ({ connection, isJson, notice, settle }) => {
    const { baseUrl, key } = connection();
    const link = await consoleLink(baseUrl, key);
    if (link !== null) {
      console.log(isJson ? JSON.stringify({ url: link }) : link);
      return null;
    }
    notice(`only the gateway of \`npm start\` gives such links: sign in at ${consoleUrl(baseUrl)} with a key`);
    settle(1);
    return null;
  },
};

/** Where the console of a gateway is. */
const consoleUrl = (baseUrl: string): string => `${baseUrl.replace(/\/+$/, "")}/`;

const ANSWER_WITHIN_MS = 10_000;

/**
 * A link to the console that signs in as the key does. Its code stands behind the `#`, which browsers send to no server. Null where the
 * gateway gives none, which all do but that of `npm start` on this machine; throws when it does not answer, or does not know the key.
 */
export async function consoleLink(baseUrl: string, key: string, signal?: AbortSignal): Promise<string | null> {
  const late = AbortSignal.timeout(ANSWER_WITHIN_MS);
  const answer = await fetch(`${consoleUrl(baseUrl)}console/codes`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    redirect: "error", // a key must not follow
    signal: signal === undefined ? late : AbortSignal.any([late, signal]),
  }).catch(async (cause: unknown) => {
    signal?.throwIfAborted();
    const { ConnectionError } = await import("@waypost/sdk");
    throw new ConnectionError("the gateway could not be reached", { requestId: null, attempts: 1, cause });
  });
  if (answer.status === 404 || answer.status === 405) return null;
  // As the gateway answers, or refuses; null: another program's answer.
  const body = (await answer.json().catch(() => null)) as { code?: unknown; detail?: unknown } | null;
  if (answer.ok && typeof body?.code === "string")
    return `${consoleUrl(baseUrl)}#enter=${encodeURIComponent(body.code)}`;
  const why =
    typeof body?.detail === "string" ? body.detail : `status ${answer.status}, and the answer is not Waypost's`;
  throw new FailedError(`no link to the console: ${why} (${baseUrl})`);
}
