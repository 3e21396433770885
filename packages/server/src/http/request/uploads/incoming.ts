import type { IncomingMessage } from "node:http";
import { extname } from "node:path";
import { finished, type Readable } from "node:stream";
import { Busboy, type BusboyHeaders, type BusboyInstance } from "@fastify/busboy";
import { invalidAt, Problem, pointerToken, problemAt } from "../../problem.ts";
import type { Incoming, Upload, WholeFile } from "../../upload.ts";

/** A client that was refused may still be sending: its bytes are dropped for so long, so that it can read the answer. */
const LINGER_MS = 5_000;
/** Of the fields of a form, and of the lines between its parts. */
const MOST_FIELD_BYTES = 16 * 1024;
const MOST_FORM_BYTES = 1024 * 1024;

type Parts = Pick<Upload<unknown, unknown>, "types" | "fields" | "maxBytes" | "anyName"> & {
  /** True: fields that it does not know are left out. */
  anyField?: boolean;
  /** The body is this file, whatever its type says. */
  whole?: WholeFile | undefined;
};
/** What the body itself says. */
type IncomingBody = Omit<Incoming, "isRepeated">;

/** Calls its second argument once if the body arrives too slowly; returns what ends the watch. */
type Watch = (raw: IncomingMessage, end: (problem: Problem) => void) => () => void;

/** The file in the body of a request: the body itself, or the file of a form. Throws 413, 415 and 400 ahead of the first byte. */
export function incomingOf(raw: IncomingMessage, upload: Parts, watch: Watch): IncomingBody {
  const type = essenceOf(raw.headers["content-type"]);
  const isForm = type === "multipart/form-data";
  const types = upload.types === null ? [] : Object.keys(upload.types);
  if (raw.headers["content-encoding"] !== undefined && raw.headers["content-encoding"] !== "identity")
    throw new Problem("unsupported_media_type", "Send the body without a Content-Encoding.");
  if (upload.whole !== undefined) return wholeOf(raw, { upload, watch, whole: upload.whole });
  if (!isForm && !types.includes(type))
    throw new Problem("unsupported_media_type", `Send the body as ${[...types, "multipart/form-data"].join(" or ")}.`);
  if (Number(raw.headers["content-length"] ?? 0) > upload.maxBytes + (isForm ? MOST_FORM_BYTES : 0))
    throw tooLarge(isForm ? "/file" : "", upload);
  if (isForm) return formOf(raw, upload, watch);
  return { type: () => type, filename: () => null, bytes: bytesOf(raw, watch), fields: () => ({}) };
}

function wholeOf(
  raw: IncomingMessage,
  { upload, watch, whole }: { upload: Parts; watch: Watch; whole: WholeFile },
): IncomingBody {
  const { type, filename, bytes } = whole;
  const length = raw.headers["content-length"];
  if (bytes > upload.maxBytes) throw tooLarge("", upload);
  if (length !== undefined && Number(length) !== bytes) throw notWhole(bytes);
  return { type: () => type, filename: () => filename, bytes: exactly(bytesOf(raw, watch), bytes), fields: () => ({}) };
}

/** As many bytes as were announced, and no others. */
async function* exactly(pieces: AsyncIterable<Buffer>, bytes: number): AsyncGenerator<Buffer> {
  let came = 0;
  for await (const piece of pieces) {
    came += piece.length;
    if (came > bytes) throw notWhole(bytes);
    yield piece;
  }
  if (came < bytes) throw notWhole(bytes);
}

const notWhole = (bytes: number): Problem =>
  invalidAt(
    "",
    `The body is not the whole file, which was announced with ${bytes} bytes: send all of it.`,
    "incomplete",
  );

const tooLarge = (at: string, { maxBytes }: Parts): Problem =>
  problemAt("payload_too_large", at, `The file is larger than ${maxBytes} bytes: make it smaller.`);

/** What arrives after the refusal of a file is dropped. */
export function drop(raw: IncomingMessage): void {
  if (raw.complete || raw.destroyed) return;
  raw.unpipe();
  raw.resume();
  setTimeout(() => raw.complete || raw.destroy(), LINGER_MS).unref();
}

async function* bytesOf(raw: IncomingMessage, watch: Watch): AsyncGenerator<Buffer> {
  let slow: Problem | null = null;
  let fail = (_problem: Problem): void => {};
  const stop = watch(raw, (problem) => {
    slow = problem;
    fail(problem);
  });
  // Ending the request's stream would end its socket, and with it the answer.
  const pieces = raw.iterator({ destroyOnReturn: false });
  try {
    for (;;) {
      const next = await new Promise<IteratorResult<Buffer>>((resolve, reject) => {
        fail = reject;
        pieces.next().then(resolve, reject);
      });
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    stop();
    // While it waits for a piece it cannot be ended, and need not be: the connection ends.
    if (slow === null) await pieces.return?.();
  }
}

const essenceOf = (header: string | undefined): string => (header ?? "").split(";")[0]?.trim().toLowerCase() ?? "";

/** The part of a form that is the file. */
const FILE_FIELD = "file";

/** What a part says of itself is often the type that the client's spreadsheet program has registered. */
const TYPES_BY_EXTENSION: Readonly<Record<string, string>> = {
  ".csv": "text/csv",
  ".tsv": "text/csv",
  ".txt": "text/csv",
  ".ndjson": "application/x-ndjson",
  ".jsonl": "application/x-ndjson",
};

function formOf(raw: IncomingMessage, upload: Parts, watch: Watch): IncomingBody {
  const form = openForm(raw);
  const fields: Record<string, string> = {};
  let type = "";
  let filename: string | null = null;
  const file = new Promise<Readable>((resolve, reject) => {
    let files = 0;
    // A part that is a file by its type alone has no name, whatever the parser's types say; what is thrown here ends the process.
    form.on("file", (name: string | undefined, stream, fileName: string | undefined, _encoding, mimeType) => {
      stream.on("error", () => {}); // its reader, if there is one, has its own
      if (name !== FILE_FIELD && upload.anyName !== true) {
        stream.resume();
        return fail(unknownField(name ?? ""));
      }
      files += 1;
      if (files > 1) {
        stream.resume();
        return fail(invalidAt("", "A form has one file.", "too_many"));
      }
      filename = nameOf(fileName);
      type = typeOf(upload, mimeType, fileName);
      if (upload.types !== null && !Object.hasOwn(upload.types, type)) {
        stream.resume();
        return fail(
          new Problem(
            "unsupported_media_type",
            `The file of the form is not ${Object.keys(upload.types).join(" or ")}.`,
          ),
        );
      }
      // A form that ends early leaves its file without an end, and its reader would wait for ever.
      finished(form, (error) => error && stream.destroy(asProblem(error)));
      resolve(stream);
    });
    form.on("field", (given: string | undefined, value, _nameTruncated, valueTruncated) => {
      const name = given ?? "";
      if (!Object.hasOwn(upload.fields, name)) return upload.anyField === true ? undefined : fail(unknownField(name));
      if (valueTruncated || Object.hasOwn(fields, name))
        return fail(invalidAt(`/${pointerToken(name)}`, "is too long, or given twice"));
      fields[name] = value;
    });
    const fail = (error: Error): void => {
      reject(error);
      form.destroy(error);
    };
    form.on("partsLimit", () => fail(invalidAt("", "The form has too many parts.", "too_many")));
    finished(form, (error) => {
      if (error) reject(asProblem(error));
      else if (files === 0) reject(invalidAt("", "The form has no file.", "required"));
    });
  });
  file.catch(() => {}); // the reader of the bytes gets it

  async function* fileOf(): AsyncGenerator<Buffer> {
    const stop = watch(raw, (problem) => form.destroy(problem));
    const whole = new Promise<void>((resolve, reject) =>
      finished(form, (error) => (error ? reject(asProblem(error)) : resolve())),
    );
    whole.catch(() => {}); // awaited below, unless the file itself ends it
    raw.once("close", () => raw.complete || form.destroy(BROKEN_FORM()));
    // Around the file there may be more than that, and without a length nothing else ends it.
    let came = 0;
    const count = (piece: Buffer): void => {
      came += piece.length;
      if (came > upload.maxBytes + MOST_FORM_BYTES) form.destroy(tooLarge("/file", upload));
    };
    raw.on("data", count);
    raw.pipe(form);
    try {
      yield* (await file) as AsyncIterable<Buffer>;
      await whole;
    } finally {
      stop();
      raw.off("data", count);
      raw.unpipe(form);
    }
  }
  return { type: () => type, filename: () => filename, bytes: fileOf(), fields: () => fields };
}

const unknownField = (name: string): Problem =>
  invalidAt(`/${pointerToken(name)}`, "is not a field here", "unknown_field");

function typeOf({ types }: Parts, said: string, fileName: string | undefined): string {
  if (types === null) return essenceOf(said);
  return Object.hasOwn(types, said) ? said : (TYPES_BY_EXTENSION[extname(fileName ?? "").toLowerCase()] ?? said);
}

// Some browsers have sent whole paths.
const nameOf = (given: string | undefined): string | null => given?.split(/[\\/]/).at(-1) || null;

const BROKEN_FORM = (): Problem => invalidAt("", "The form is not complete, or not as RFC 7578 says.", "invalid_form");

const asProblem = (error: Error): Problem => (error instanceof Problem ? error : BROKEN_FORM());

function openForm(raw: IncomingMessage): BusboyInstance {
  try {
    return new Busboy({
      headers: raw.headers as BusboyHeaders, // its content type is that of a form
      limits: { fieldSize: MOST_FIELD_BYTES, fieldNameSize: 100, fields: 10, parts: 12, headerPairs: 20 },
    });
  } catch {
    throw BROKEN_FORM();
  }
}
