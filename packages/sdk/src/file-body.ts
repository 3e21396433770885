/** A file to upload. A stream is read once, so that a request with one is not repeated. */
export type FileBody = {
  content: string | Uint8Array | Blob | ReadableStream<Uint8Array>;
  /** Media type: `text/csv` or `application/x-ndjson`. */
  type: string;
};

/** A file to upload as a form. A file of the disk needs no memory: `await openAsBlob(path)` of `node:fs`. */
export type FormFile = {
  content: string | Uint8Array | Blob;
  /** The name that people see. */
  filename: string;
  /** Media type, such as `image/jpeg`; the content decides. */
  type?: string;
};

/** Node asks for `duplex` where the body is a stream; its type has no such field. */
export const contentOf = ({ content }: FileBody): RequestInit =>
  content instanceof ReadableStream ? ({ body: content, duplex: "half" } as RequestInit) : { body: unshared(content) };

/** The form of one file. */
export function formOf({ content, filename, type }: FormFile): FormData {
  const given = content instanceof Blob ? (type ?? content.type) : (type ?? "");
  const form = new FormData();
  // A slice of a file of the disk stays one.
  const file =
    content instanceof Blob ? content.slice(0, content.size, given) : new Blob([unshared(content)], { type: given });
  form.append("file", file, filename);
  return form;
}

/** Memory that is shared between threads cannot be sent, so it is copied; compilers before 5.7 have no type for any other. */
function unshared<T>(content: T | Uint8Array): T | Uint8Array<ArrayBuffer> {
  if (!(content instanceof Uint8Array)) return content;
  return content.buffer instanceof ArrayBuffer ? (content as Uint8Array<ArrayBuffer>) : content.slice(); // as just seen
}
