/** A file to upload. A stream is read once, so that a request with one is not repeated. */
export type FileBody = {
  content: string | Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array>;
  /** Media type: `text/csv` or `application/x-ndjson`. */
  type: string;
};

/** A file to upload as a form. A file of the disk needs no memory: `await openAsBlob(path)` of `node:fs`. */
export type FormFile = {
  content: string | Uint8Array<ArrayBuffer> | Blob;
  /** The name that people see. */
  filename: string;
  /** Media type, such as `image/jpeg`; the content decides. */
  type?: string;
};

/** Node asks for `duplex` where the body is a stream; its type has no such field. */
export const contentOf = ({ content }: FileBody): RequestInit =>
  content instanceof ReadableStream ? ({ body: content, duplex: "half" } as RequestInit) : { body: content };

/** The form of one file. */
export function formOf({ content, filename, type }: FormFile): FormData {
  const given = content instanceof Blob ? (type ?? content.type) : (type ?? "");
  const form = new FormData();
  // A slice of a file of the disk stays one.
  form.append(
    "file",
    content instanceof Blob ? content.slice(0, content.size, given) : new Blob([content], { type: given }),
    filename,
  );
  return form;
}
