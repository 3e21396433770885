import type { HttpServer } from "../http/server.ts";

export type Reply = {
  status: number;
  /** The JSON of the answer, null without one; untyped, because tests assert single fields of many routes. */
  body: ReturnType<typeof JSON.parse>;
  /** The answer as it was received, to compare byte for byte. */
  text: string;
  headers: Record<string, string>;
};

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** One request and its answer. `body`: an object is sent as JSON, text and bytes as they are. */
export type Call = (
  method: Method,
  path: string,
  options?: { body?: unknown; headers?: Record<string, string> },
) => Promise<Reply>;

/** Calls with this bearer token; null sends none. `url` is the server's, without a slash at its end. */
export const callAs =
  (url: string, bearer: string | null): Call =>
  async (method, path, { body, headers = {} } = {}) => {
    const raw = typeof body === "string" || body instanceof Uint8Array;
    const answer = await fetch(url + path, {
      method,
      headers: {
        ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: raw ? (body as string | Uint8Array<ArrayBuffer>) : JSON.stringify(body) }),
    });
    const text = await textOf(answer);
    return {
      status: answer.status,
      body: /[/+]json/.test(answer.headers.get("content-type") ?? "") && text !== "" ? JSON.parse(text) : null,
      text,
      headers: Object.fromEntries(answer.headers),
    };
  };

/** The body; of a stream that does not end by itself the beginning, with which the reader leaves. */
async function textOf(answer: Response): Promise<string> {
  if (!answer.headers.get("content-type")?.startsWith("text/event-stream") || answer.body === null)
    return await answer.text();
  const reader = answer.body.getReader();
  const { value } = await reader.read();
  await reader.cancel();
  return new TextDecoder().decode(value);
}

/** The same without a socket, for a server that does not listen. */
export const injectAs =
  (http: HttpServer, bearer: string | null): Call =>
  async (method, path, { body, headers = {} } = {}) => {
    const reply = await http.inject({
      method,
      url: path,
      headers: { ...(bearer === null ? {} : { authorization: `Bearer ${bearer}` }), ...headers },
      ...(body === undefined ? {} : { payload: body as object }),
    });
    return {
      status: reply.statusCode,
      body: reply.payload === "" ? null : reply.json(),
      text: reply.payload,
      headers: reply.headers as Record<string, string>,
    };
  };
