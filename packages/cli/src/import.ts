import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { extname } from "node:path";
import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import type { ContactImport, Waypost } from "@waypost/sdk";
import type { Command } from "commander";
import { workspaceOf } from "./connection.ts";
import { UsageError } from "./errors.ts";
import { BASE_URL, printJson } from "./output.ts";
import { Progress } from "./progress.ts";

type ImportOptions = {
  format?: string;
  mapping?: string;
  follow?: boolean;
  idempotencyKey?: string;
  baseUrl?: string;
};

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

/** `waypost import`: uploads a file of contacts; with --follow until it is read. Prints the import as JSON. */
export function addImportCommand(program: Command, settle: (code: number) => void): void {
  program
    .command("import")
    .description("import contacts from a CSV or NDJSON file, with WAYPOST_API_KEY")
    .argument("<file>", "its path")
    .option("--format <format>", "csv or ndjson; by default as the file's name ends")
    .option("--mapping <json>", 'column, or "#3" for the third, → field, such as {"Mobile":"phone","Notes":null}')
    .option("--follow", "wait until the file is read; the exit code is 1 if the import fails or refuses rows")
    .option("--idempotency-key <key>", "the same key never imports twice")
    .option(...BASE_URL)
    .action(async (path: string, options: ImportOptions) => {
      const api = await workspaceOf(options.baseUrl, process.env);
      const begun = await upload(api, path, options);
      if (options.follow !== true) return printJson(begun);
      const ended = await follow(api, begun);
      printJson(ended);
      if (ended.status === "completed" && ended.progress.failed === 0) return;
      await explain(api, ended);
      settle(1);
    });
}

async function upload(api: Waypost, path: string, options: ImportOptions): Promise<ContactImport> {
  const type = TYPES[options.format ?? FORMATS[extname(path).toLowerCase()] ?? ""];
  if (type === undefined) throw new UsageError("--format must be csv or ndjson");
  const size = await sizeOf(path);
  const progress = new Progress("upload", size);
  const file = createReadStream(path);
  file.on("data", (chunk) => progress.add(chunk.length));
  try {
    return await api.contacts.createImport(
      { content: Readable.toWeb(file) as ReadableStream<Uint8Array>, type },
      options.mapping === undefined ? {} : { mapping: mappingOf(options.mapping) },
      options.idempotencyKey === undefined ? {} : { idempotencyKey: options.idempotencyKey },
    );
  } finally {
    file.destroy();
    progress.end();
  }
}

async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => null);
  if (found?.isFile() !== true) throw new UsageError(`there is no file ${path}`);
  return found.size;
}

function mappingOf(text: string): string {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return text;
  } catch {
    // Reported below, like a value of another type.
  }
  throw new UsageError("--mapping needs a JSON object");
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
async function explain(api: Waypost, { id, status, error, progress }: ContactImport): Promise<void> {
  if (status !== "completed") console.error(`waypost: the import is ${status}${error ? `: ${error.detail}` : ""}`);
  let shown = 0;
  for await (const { line, column, detail } of api.contacts.listImportErrors(id, { limit: MOST_SHOWN })) {
    if (shown === MOST_SHOWN) break;
    shown += 1;
    console.error(`waypost: line ${line}${column === null ? "" : `, ${column}`}: ${detail}`);
  }
  if (progress.failed > shown) console.error(`waypost: ${progress.failed - shown} more rows were refused`);
}
