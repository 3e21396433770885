import type { IncomingMessage } from "node:http";
import { finished, type Readable } from "node:stream";
import { Busboy, type BusboyHeaders } from "@fastify/busboy";
import { ReceivedFile } from "../lib/received-file.ts";
import { spool } from "../lib/spool.ts";
import { graphRefusal } from "./error.ts";

/** The largest document (provider reference 5). Of a larger file only the size is known. */
const MOST_FILE_BYTES = 100 * 1024 * 1024;
const MOST_FIELD_BYTES = 256 * 1024;
const MOST_PARTS = 100;

/** The fields and files of a form, as it arrives; throws the provider's refusal of one that cannot be read. */
export async function readForm(request: IncomingMessage, body: Readable): Promise<[string, string | ReceivedFile][]> {
  const parts: [string, string | ReceivedFile][] = [];
  const files: Promise<void>[] = [];
  try {
    const form = new Busboy({
      headers: request.headers as BusboyHeaders, // its content type is that of a form
      limits: { fieldSize: MOST_FIELD_BYTES, parts: MOST_PARTS },
    });
    form.on("field", (name, value) => parts.push([name, value]));
    form.on("file", (name, stream, _fileName, _encoding, mimeType) => {
      // A form that ends early leaves its file without an end, and its reader would wait for ever.
      finished(form, (error) => error && stream.destroy(error));
      const kept = spool(stream, MOST_FILE_BYTES).then((content) => {
        parts.push([name, new ReceivedFile(content, mimeType)]);
      });
      kept.catch(() => {}); // awaited below, once the form has ended
      files.push(kept);
    });
    const read = new Promise<void>((resolve, reject) => finished(form, (error) => (error ? reject(error) : resolve())));
    body.once("close", () => request.complete || form.destroy(new Error("the request broke off")));
    body.pipe(form);
    await read;
    await Promise.all(files);
    return parts;
  } catch {
    body.unpipe();
    body.resume();
    await Promise.allSettled(files);
    for (const [, part] of parts) if (part instanceof ReceivedFile) part.requestEnded();
    throw graphRefusal(100, "(#100) The multipart body cannot be read");
  }
}
