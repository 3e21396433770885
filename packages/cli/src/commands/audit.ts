import { UsageError } from "../errors.ts";
import { outOf, refuseBoth } from "../export.ts";
import { writeRows } from "../write-rows.ts";
import { type Call, type Declared, type Group, lists, type Option, type Outcome, text } from "./command.ts";

const AT: readonly Option[] = [
  { name: "at_after", does: "later than this", kind: "time" },
  { name: "at_before", does: "earlier than this", kind: "time" },
];
const FILE: readonly Option[] = [
  { name: "format", does: "print all that fits the filters as a file", choices: ["csv", "ndjson"], isOwn: true },
  { name: "out", does: "file to write instead of standard output, with --format", isOwn: true },
];

export const group: Group = {
  name: "audit",
  does: "what was called and what became of messages",
  commands: [
    withFile("/v1/audit/activity", {
      name: "activity",
      does: "list calls of the API, denied ones too, the newest first",
      key: "workspace",
      operation: "audit.listActivity",
      example: "audit activity --action key.create --format csv --out activity.csv",
      options: [
        { name: "actor", does: "who called, such as key_… or ses_…" },
        { name: "action", does: "such as message.send" },
        { name: "resource", does: "id of what was called about" },
        { name: "status", does: "HTTP status, such as 403" },
        ...AT,
      ],
      columns: ["at", "actor.name", "action", "resource.id", "response.status", "request.request_id"],
      rows: async function* ({ workspace }, query) {
        yield* (await workspace()).audit.listActivity(query);
      },
    }),
    withFile("/v1/audit/messages", {
      name: "messages",
      does: "list what happened to messages, the newest first",
      key: "workspace",
      operation: "audit.listMessages",
      example: "audit messages --message-id msg_01jd0000000000000000000000",
      options: [
        { name: "message_id", does: "msg_…: of this message" },
        { name: "to", does: "of messages to this recipient" },
        ...AT,
      ],
      columns: ["at", "message_id", "event", "actor.type", "detail"],
      rows: async function* ({ workspace }, query) {
        yield* (await workspace()).audit.listMessages(query);
      },
    }),
  ],
};

/** A list that can be had as a file too: all of it, streamed by the gateway. */
function withFile(path: string, declared: Parameters<typeof lists>[0]): Declared {
  const list = lists({ ...declared, options: [...(declared.options ?? []), ...FILE] });
  return {
    ...list,
    run: async (call): Promise<Outcome> => {
      const { format, out, ...filters } = call.given;
      if (format === undefined && out !== undefined) throw new UsageError("--out belongs to --format: csv or ndjson");
      if (format === undefined) return await list.run({ ...call, given: filters });
      if (filters["limit"] !== undefined) throw new UsageError("--limit belongs to the list: a file has all that fits");
      refuseBoth(format, call.isJson);
      await writeRows(await streamOf(call, path, filters), outOf({ out }));
      return null;
    },
  };
}

const TYPES: Readonly<Record<string, string>> = { csv: "text/csv", ndjson: "application/x-ndjson" };

/** The client has these as lists alone, so that this asks itself. */
async function streamOf(
  { connection, given }: Call,
  path: string,
  filters: Call["given"],
): Promise<ReadableStream<Uint8Array>> {
  const { baseUrl, key } = connection();
  const type = TYPES[text(given, "format")] ?? "";
  const query = new URLSearchParams(
    Object.entries(filters).map(([name, value]): [string, string] => [name, String(value)]),
  );
  const { ApiError, ConnectionError, MalformedAnswerError } = await import("@waypost/sdk");
  const response = await fetch(`${baseUrl.replace(/\/+$/, "")}${path}?${query.toString()}`, {
    headers: { authorization: `Bearer ${key}`, accept: type },
    redirect: "error", // the API never redirects, and a key must not follow
  }).catch((cause: unknown) => {
    throw new ConnectionError("the gateway could not be reached", { requestId: null, attempts: 1, cause });
  });
  const isAsked = response.headers.get("content-type")?.startsWith(type) === true;
  if (response.ok && isAsked && response.body !== null) return response.body;
  const requestId = response.headers.get("x-request-id");
  const problem = (await response.json().catch(() => null)) as
    | ConstructorParameters<typeof ApiError>[0]["problem"]
    | null;
  if (typeof problem?.code !== "string")
    throw new MalformedAnswerError("the answer is not Waypost's", response.status, { requestId, attempts: 1 });
  throw new ApiError({ problem, retryAfterSeconds: null, requestId, attempts: 1 });
}
