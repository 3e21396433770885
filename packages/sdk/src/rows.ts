import { ConnectionError, MalformedAnswerError } from "./errors.ts";

export type RowFormat = "csv" | "ndjson";
const TYPES: Readonly<Record<RowFormat, string>> = { csv: "text/csv", ndjson: "application/x-ndjson" };

/**
 * Rows that the gateway streams: `for await` over them one by one, or take them as a file. Each use is a request of its own. A stream that
 * breaks off throws, so that a part is never taken for the whole.
 */
export class Rows<T> implements AsyncIterable<T> {
  readonly #open: (type: string) => Promise<Response>;

  constructor(open: (type: string) => Promise<Response>) {
    this.#open = open;
  }

  /** The bytes of the file. Its reader rejects where the stream breaks off. */
  async file(format: RowFormat): Promise<ReadableStream<Uint8Array>> {
    const response = await this.#open(TYPES[format]);
    if (response.headers.get("content-type")?.startsWith(TYPES[format])) return bodyOf(response);
    await response.body?.cancel();
    throw new MalformedAnswerError(
      `the answer is no ${format.toUpperCase()} of Waypost`,
      response.status,
      aboutOf(response),
    );
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    const response = await this.#open(TYPES.ndjson);
    const decoder = new TextDecoder();
    let rest = "";
    for await (const bytes of chunksOf(response)) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) yield rowOf<T>(line, response);
    }
    if (rest !== "") throw brokenOff(response);
  }
}

function rowOf<T>(line: string, response: Response): T {
  try {
    return JSON.parse(line) as T; // by the API document that the types are generated from
  } catch (cause) {
    throw new MalformedAnswerError("a row is not Waypost's", response.status, { ...aboutOf(response), cause });
  }
}

async function* chunksOf(response: Response): AsyncGenerator<Uint8Array> {
  const reader = bodyOf(response).getReader();
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw brokenOff(response, cause);
      });
      if (done) return;
      yield value;
    }
  } finally {
    await reader.cancel().catch(() => {}); // it has ended, or the caller does not need the rest
  }
}

const bodyOf = (response: Response): ReadableStream<Uint8Array> => {
  if (response.body === null) throw brokenOff(response);
  return response.body;
};

const brokenOff = (response: Response, cause?: unknown): ConnectionError =>
  new ConnectionError("the rows broke off: the stream is not complete", { ...aboutOf(response), cause });

const aboutOf = (response: Response) => ({ requestId: response.headers.get("x-request-id"), attempts: 1 });
