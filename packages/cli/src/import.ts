import { createReadStream } from "node:fs";
import { access, constants, stat } from "node:fs/promises";
import { extname } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import type { ContactImport, Waypost } from "@waypost/sdk";
import { type Call, type Declared, type Given, text } from "./commands/command.ts";
import { UsageError } from "./errors.ts";
import { Progress } from "./progress.ts";

const TYPES: Readonly<Record<string, string>> = { csv: "text/csv", ndjson: "application/x-ndjson" };
const FORMATS: Readonly<Record<string, string>> = {
  ".csv": "csv",
  ".tsv": "csv",
  ".txt": "csv",
  ".ndjson": "ndjson",
  ".jsonl": "ndjson",
};
const LOOK_EVERY_MS = 500;
/** Errors that are printed; the API has the others. */
const MOST_SHOWN = 20;

/** `waypost import`: uploads a file of contacts; with --follow until it is read. Prints the import. */
export const importCommand: Declared = {
  name: "import",
  does: "import contacts from a CSV or NDJSON file",
  key: "workspace",
  operation: "contacts.createImport",
  example: `import people.csv --mapping '{"Mobile":"phone","Notes":null}' --follow`,
  argument: { name: "file", does: "its path" },
  options: [
    { name: "format", does: "by default as the file's name ends", choices: ["csv", "ndjson"], isOwn: true },
    { name: "mapping", does: 'JSON: column, or "#3" for the third, → field; null leaves it out' },
    {
      name: "follow",
      does: "wait until the file is read; the exit code is 1 if the import fails or refuses rows",
      kind: "flag",
      isOwn: true,
    },
    { name: "idempotency_key", does: "the same key never imports twice", isOwn: true },
  ],
  run: async (call) => {
    const { argument: path, given, settle } = call;
    const type = typeOf(path, given);
    const size = await sizeOf(path);
    const mapping = given["mapping"] === undefined ? {} : { mapping: mappingOf(text(given, "mapping")) };
    const api = await call.workspace();
    const begun = await upload(api, { path, size, type, mapping, given });
    if (given["follow"] !== true) return { one: begun };
    const ended = await follow(api, begun);
    if (ended.status !== "completed" || ended.progress.failed > 0) {
      await explain(api, ended, call);
      settle(1);
    }
    return { one: ended };
  },
};

function typeOf(path: string, given: Given): string {
  const type = TYPES[text(given, "format") || (FORMATS[extname(path).toLowerCase()] ?? "")];
  if (type === undefined) throw new UsageError("--format must be csv or ndjson");
  return type;
}

type Upload = { path: string; size: number; type: string; mapping: { mapping?: string }; given: Given };

async function upload(api: Waypost, { path, size, type, mapping, given }: Upload): Promise<ContactImport> {
  const progress = new Progress("upload", size);
  const file = createReadStream(path);
  file.on("data", (chunk) => progress.add(chunk.length));
  const key = given["idempotency_key"];
  try {
    return await api.contacts.createImport(
      { content: Readable.toWeb(file) as ReadableStream<Uint8Array>, type },
      mapping,
      key === undefined ? {} : { idempotencyKey: String(key) },
    );
  } finally {
    file.destroy();
    progress.end();
  }
}

async function sizeOf(path: string): Promise<number> {
  const found = await access(path, constants.R_OK)
    .then(() => stat(path))
    .catch(() => null);
  if (found?.isFile() !== true) throw new UsageError(`there is no file ${path} that can be read`);
  return found.size;
}

function mappingOf(json: string): string {
  try {
    const value: unknown = JSON.parse(json);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return json;
  } catch {
    // Reported below, like a value of another type.
  }
  throw new UsageError('--mapping needs a JSON object, such as {"Mobile":"phone","Notes":null}');
}

async function follow(api: Waypost, begun: ContactImport): Promise<ContactImport> {
  const progress = new Progress("import", begun.progress.total_bytes);
  try {
    for (let now = begun; ; now = await api.contacts.getImport(begun.id)) {
      const { rows, created, updated, failed, bytes } = now.progress;
      progress.set(bytes, `${rows} rows, ${created} created, ${updated} updated, ${failed} refused`);
      if (now.completed_at !== null) return now;
      await pause(LOOK_EVERY_MS);
    }
  } finally {
    progress.end();
  }
}

/** What is wrong, with the lines of the file, as far as a person reads it. */
async function explain(api: Waypost, ended: ContactImport, { notice }: Call): Promise<void> {
  const { id, status, error, progress } = ended;
  if (status !== "completed") notice(`the import is ${status}${error ? `: ${error.detail}` : ""}`);
  let shown = 0;
  for await (const { line, column, detail } of api.contacts.listImportErrors(id, { limit: MOST_SHOWN })) {
    if (shown === MOST_SHOWN) break;
    shown += 1;
    notice(`line ${line}${column === null ? "" : `, ${column}`}: ${detail}`);
  }
  if (progress.failed > shown) notice(`${progress.failed - shown} more rows were refused`);
}
