import type { Ctx } from "../../../ctx.ts";
import type { FileStore } from "../../../files/file-store.ts";
import { invalidAt } from "../../../http/problem.ts";
import type { Incoming, Received, Upload } from "../../../http/upload.ts";
import { newUuid } from "../../../lib/ids.ts";
import { countActive } from "../../tasks/long-task.sql.ts";
import { delimiterOf, type Mapping, separatorLineOf, type Target, targetsOf } from "./columns.ts";
import { BOM_BYTES, FileCheck } from "./file-check.ts";
import { IMPORTS } from "./import.store.ts";
import { readRecords } from "./read-csv.ts";
import { HEAD_BYTES, type Piece, type Place, type RawRow } from "./reading.ts";
import { type Format, MAPPING_FIELD, MOST_ACTIVE, tooManyImports } from "./schema.ts";

/** Folder of imports in the file store. */
export const IMPORT_FILES = "imports";
const LARGEST_FILE_BYTES = 1024 * 1024 * 1024;

/** A file that was received and can be read. */
export type ReceivedImport = {
  id: string;
  format: Format;
  mapping: Mapping;
  delimiter: string | null;
  targets: readonly (Target | null)[] | null;
  totalBytes: number;
  /** Of the first row of data. */
  place: Place;
};

const FORMATS: Readonly<Record<string, Format>> = { "text/csv": "csv", "application/x-ndjson": "ndjson" };

const EXAMPLES = {
  "text/csv": "phone,name,tags,attributes.city\n+15551230095,Ana Souza,vip;new,Recife\n",
  "application/x-ndjson": '{"phone":"+15551230095","name":"Ana Souza","tags":["vip"]}\n',
};

type Asked = { query: { mapping?: string } };

/** Streams the file into the store; refuses one that cannot be read, for its encoding or its columns. */
export const importUpload = (files: FileStore): Upload<Asked, ReceivedImport> => ({
  types: EXAMPLES,
  fields: { mapping: MAPPING_FIELD },
  anyName: true,
  maxBytes: LARGEST_FILE_BYTES,
  receive: (ctx, asked, file) => receive(files, ctx, asked, file),
});

async function receive(
  files: FileStore,
  { db, workspaceId, now }: Ctx,
  { query }: Asked,
  file: Incoming,
): Promise<Received<ReceivedImport>> {
  // Ahead of the bytes; counted again with the row. A repeated request creates none: its answer needs the file only to be compared.
  const active = await db.read(workspaceId, (sql) => countActive(sql, IMPORTS, workspaceId));
  if (active >= MOST_ACTIVE && !(await file.isRepeated())) throw tooManyImports();
  const id = newUuid(now);
  const name = { area: IMPORT_FILES, workspaceId, id };
  const check = new FileCheck();
  const given = (): Mapping => mappingOf(query.mapping ?? file.fields()["mapping"]);
  // A file whose columns cannot be read is refused before all of it is here, unless its mapping comes behind it.
  const early = (): void => {
    if (file.fields()["mapping"] !== undefined || query.mapping !== undefined || typeOf(file) !== "csv") return;
    requireRow(check);
  };
  const { size, sha256 } = await files.put(name, check.checked(file.bytes, early), LARGEST_FILE_BYTES);
  // What cannot be deleted now is swept.
  const discard = (): Promise<void> => files.delete(name).catch(() => {});
  try {
    if (query.mapping !== undefined && file.fields()["mapping"] !== undefined)
      throw invalidAt("?mapping", "The mapping is given twice: in the query and in the form.", "invalid_mapping");
    const format = typeOf(file);
    const mapping = given();
    const read = format === "csv" ? await headOf(check, mapping) : linesOf(check, mapping);
    return {
      found: { id, format, mapping, totalBytes: size, ...read },
      fingerprint: { sha256, format, mapping },
      discard,
    };
  } catch (error) {
    await discard();
    throw error;
  }
}

const typeOf = (file: Incoming): Format => FORMATS[file.type()] ?? "csv"; // HTTP has refused others

type Read = Pick<ReceivedImport, "delimiter" | "targets" | "place">;

function linesOf(check: FileCheck, mapping: Mapping): Read {
  if (Object.keys(mapping).length > 0)
    throw invalidAt(
      "?mapping",
      "A mapping is for CSV: the fields of NDJSON are those of a contact.",
      "invalid_mapping",
    );
  return { delimiter: null, targets: null, place: { offset: check.hasBom ? BOM_BYTES : 0, line: 1 } };
}

/** Reads the first row. */
async function headOf(check: FileCheck, mapping: Mapping): Promise<Read> {
  requireRow(check);
  const said = separatorLineOf(check.head.toString("latin1")); // a character a byte
  const head = check.head.subarray(said?.length ?? 0);
  const delimiter = said?.delimiter ?? delimiterOf(firstLineOf(head));
  const from = { offset: (check.hasBom ? BOM_BYTES : 0) + (said?.length ?? 0), line: 1 + (said?.lines ?? 0) };
  const first = await firstOf(readRecords(once(head), from, delimiter));
  if (first === undefined) throw invalidAt("", "The file has no row with the names of its columns.", "invalid_columns");
  return { delimiter, targets: targetsOf(first.value, mapping), place: first.next };
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes;
}

async function firstOf<T>(pieces: AsyncGenerator<Piece<T>>): Promise<RawRow<T> | undefined> {
  try {
    for await (const { rows } of pieces) if (rows.length > 0) return rows[0];
  } catch {
    // The head of a file ends in the middle of a row, which is no fault of the file.
  }
  return undefined;
}

const firstLineOf = (head: Buffer): string => {
  const text = head.toString("utf8").replace(/^[\r\n]+/, "");
  return /^(?:[^"\r\n]|"(?:[^"]|"")*"?)*/.exec(text)?.[0] ?? "";
};

function requireRow(check: FileCheck): void {
  if (check.headIsWhole && !/[\r\n]/.test(check.head.subarray(0, HEAD_BYTES).toString("latin1")))
    throw invalidAt("", `The first line is longer than ${HEAD_BYTES / 1_024} KiB.`, "invalid_columns");
}

function mappingOf(text: string | undefined): Mapping {
  if (text === undefined || text === "") return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = null;
  }
  const ok =
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    Object.values(value).every((field) => field === null || typeof field === "string");
  if (!ok)
    throw invalidAt(
      "?mapping",
      'The mapping must be a JSON object such as {"Mobile":"phone","Notes":null}.',
      "invalid_mapping",
    );
  return value as Mapping;
}
