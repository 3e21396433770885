import type { Socket } from "node:net";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Problem } from "../problem.ts";
import { parseBody } from "./body.ts";
import { problemBody } from "./errors.ts";
import { requestIdOf } from "./request-id.ts";

/** JSON bodies; a row may take more. */
export const LARGEST_BODY = 256 * 1024;

const UTF_8 = /^application\/json(?:\s*;\s*charset\s*=\s*"?utf-?8"?)?\s*$/i;

/** JSON in UTF-8 and nothing else; an empty body is none, as clients send it with POSTs that need none. */
export function jsonBodies(instance: FastifyInstance): void {
  instance.removeAllContentTypeParsers();
  // As bytes: decoding to text would turn broken UTF-8 into replacement characters without a word.
  instance.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, bytes: Buffer, done) => {
    try {
      checkType(request);
      done(null, bytes.length === 0 ? undefined : parseBody(bytes));
    } catch (error) {
      done(error as Error, undefined); // only Problems are thrown above
    }
  });
}

function checkType(request: FastifyRequest): void {
  const { "content-type": type = "", "content-encoding": encoding } = request.headers;
  if (encoding !== undefined && encoding !== "identity")
    throw new Problem("unsupported_media_type", "Send the body without a Content-Encoding.");
  if (type !== "application/json" && !UTF_8.test(type))
    throw new Problem("unsupported_media_type", "Send the body as application/json in UTF-8.");
}

/** Any content type, as the bytes that came. */
export function rawBodies(instance: FastifyInstance): void {
  instance.removeAllContentTypeParsers();
  instance.addContentTypeParser("*", { parseAs: "buffer" }, (_request, bytes, done) => done(null, bytes));
}

/** What does not get as far as a request (broken HTTP, too large a header, too slow) still gets a problem, and the socket closes. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  if (!socket.writable) return void socket.destroy();
  const problem = new Problem(
    "invalid_request",
    CLIENT_ERRORS[error.code ?? ""] ?? "This is not HTTP as it should be.",
  );
  const requestId = requestIdOf({ headers: {} });
  const body = problemBody(problem, requestId);
  const head = [
    "HTTP/1.1 400 Bad Request",
    "Content-Type: application/problem+json; charset=utf-8",
    `X-Request-Id: ${requestId}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join("\r\n")}\r\nConnection: close\r\n\r\n${body}`);
}

const CLIENT_ERRORS: Record<string, string> = {
  HPE_HEADER_OVERFLOW: "The headers are larger than 16 KiB.",
  ERR_HTTP_REQUEST_TIMEOUT: "The request took too long to arrive.",
};
