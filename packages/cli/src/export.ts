import { createWriteStream } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { Readable, Transform, type Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { RowFormat, Waypost } from "@waypost/sdk";
import { type Command, Option } from "commander";
import { workspaceOf } from "./connection.ts";
import { UsageError } from "./errors.ts";
import { BASE_URL } from "./output.ts";
import { Progress } from "./progress.ts";

type Filters = NonNullable<Parameters<Waypost["contacts"]["export"]>[0]>;
type Asked = { phone?: string; tag?: string; segment?: string; search?: string; consent?: string };
type ExportOptions = Asked & { format: string; out?: string; baseUrl?: string };

/** `waypost export`: all contacts, or those of a filter, to standard output or a file. */
export function addExportCommand(program: Command): void {
  program
    .command("export")
    .description("export contacts as CSV or NDJSON, with WAYPOST_API_KEY")
    .option("--format <format>", "csv or ndjson", "csv")
    .option("--out <file>", "where to write; by default to standard output")
    .option("--phone <number>", "the person with this number alone")
    .option("--tag <tag>", "those with this tag")
    .option("--segment <id>", "those in this segment")
    .option("--search <text>", "those with this text in a name, address, number or attribute")
    .addOption(new Option("--consent <consent>", "those with this consent to marketing").choices(CONSENTS))
    .option(...BASE_URL)
    .action(async ({ format, out, baseUrl, ...asked }: ExportOptions) => {
      if (format !== "csv" && format !== "ndjson") throw new UsageError("--format must be csv or ndjson");
      const api = await workspaceOf(baseUrl, process.env);
      const rows = api.contacts.export(filtersOf(asked));
      await write(await rows.file(format satisfies RowFormat), out);
    });
}

const CONSENTS = ["unknown", "opted_in", "opted_out"] as const;

function filtersOf({ phone, tag, segment, search, consent }: Asked): Filters {
  const known = CONSENTS.find((one) => one === consent);
  return {
    ...(phone === undefined ? {} : { phone }),
    ...(tag === undefined ? {} : { tag }),
    ...(segment === undefined ? {} : { segment_id: segment }),
    ...(search === undefined ? {} : { q: search }),
    ...(known === undefined ? {} : { marketing_consent: known }),
  };
}

/** A file appears under its name when it is complete: half an export looks like a whole one. */
async function write(rows: ReadableStream<Uint8Array>, out: string | undefined): Promise<void> {
  const part = out === undefined ? null : `${out}.part`;
  const progress = new Progress("export", null);
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      progress.add(chunk.length);
      done(null, chunk);
    },
  });
  const to: Writable = part === null ? process.stdout : createWriteStream(part);
  try {
    // Standard output stays open for what else the process writes.
    await pipeline(Readable.fromWeb(rows as Parameters<typeof Readable.fromWeb>[0]), counted, to, {
      end: part !== null,
    });
    if (part !== null && out !== undefined) await rename(part, out);
  } catch (cause) {
    if (part !== null) await rm(part, { force: true });
    // The reader of standard output has enough, as `head` has.
    if (part === null && isCode(cause, "EPIPE")) return;
    if (cause instanceof Error && "code" in cause && cause.code !== "UND_ERR_SOCKET")
      throw new UsageError(`the export cannot be written: ${String(cause.code)}`);
    const { ConnectionError } = await import("@waypost/sdk");
    const about = { requestId: null, attempts: 1, cause };
    throw new ConnectionError("the export broke off: what was written is not complete", about);
  } finally {
    progress.end();
  }
}

const isCode = (cause: unknown, code: string): boolean =>
  cause instanceof Error && "code" in cause && cause.code === code;
