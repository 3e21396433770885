import { type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import { Problem } from "../problem.ts";
import { problemBody } from "./errors.ts";
import { tooSlow } from "./slow-bodies.ts";
import { requestIdOf } from "./state.ts";

/**
 * Answers what never becomes a request (broken HTTP, too large a header, too slow) with a problem, and closes the socket. Requests that
 * came whole on the same connection are answered before: the client takes the first answer for that to its first request.
 */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  const answer = answerOn(socket);
  if (answer?.req.complete === true) {
    // Node gives the connection to the next answer first, where there is one.
    return void answer.once("finish", () => answerClientError(error, socket));
  }
  // Half of an answer is on its way already: of a stream of rows, or of a refusal.
  if (!socket.writable || answer?.headersSent === true) return void socket.destroy();
  const problem = problemOf(error.code ?? "");
  const requestId = requestIdOf({ headers: {} });
  const body = problemBody(problem, requestId);
  const head = [
    `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`,
    "Content-Type: application/problem+json; charset=utf-8",
    `X-Request-Id: ${requestId}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join("\r\n")}\r\nConnection: close\r\n\r\n${body}`);
}

/** The first answer on a connection that is not written yet. Node keeps it on the socket, and its own default looks there too. */
const answerOn = (socket: Socket): ServerResponse | null =>
  (socket as Socket & { _httpMessage?: ServerResponse | null })._httpMessage ?? null;

function problemOf(code: string): Problem {
  switch (code) {
    case "HPE_HEADER_OVERFLOW":
      return new Problem("invalid_request", "The headers are larger than 16 KiB.", { status: 431 });
    case "HPE_CHUNK_EXTENSIONS_OVERFLOW":
      return new Problem("payload_too_large", "The body's chunks have extensions that are too large.");
    case "ERR_HTTP_REQUEST_TIMEOUT":
      return tooSlow("The request took too long to arrive.");
    default:
      return new Problem("invalid_request", "The request is not valid HTTP.");
  }
}
