import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http";
import type { Socket } from "node:net";
import type { ProblemPlace } from "../error-format.ts";
import { Problem } from "../problem.ts";
import type { Surface, Surfaces } from "../surface.ts";
import { tooSlow } from "./bodies/slow-bodies.ts";
import { requestIdOf } from "./state.ts";

type ClientError = NodeJS.ErrnoException & {
  /** The bytes in which the fault is; none where they did not come in time. Fastify's type is that of their JSON. */
  rawPacket?: unknown;
};

/**
 * Answers what never becomes a request (broken HTTP, too large a header, too slow) with a problem, and closes the socket. Requests that
 * came whole on the same connection are answered before: the client takes the first answer for that to its first request.
 */
export function answerClientError(
  error: ClientError,
  socket: Socket,
  { surfaces, config }: { surfaces: Surfaces } & Pick<ProblemPlace, "config">,
): void {
  if (error.code === "ECONNRESET" || socket.destroyed) return;
  const answer = answerOn(socket);
  if (answer?.req.complete === true) {
    // Node gives the connection to the next answer first, where there is one.
    return void answer.once("finish", () => answerClientError(error, socket, { surfaces, config }));
  }
  // Half of an answer is on its way already: of a stream of rows, or of a refusal.
  if (!socket.writable || answer?.headersSent === true) return void socket.destroy();
  const problem = problemOf(error.code ?? "");
  const requestId = requestIdOf({ headers: {} });
  const { errors } = surfaceOf(error, answer?.req, surfaces);
  const status = errors.status(problem);
  const body = errors.body(problem, { requestId, config });
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    `Content-Type: ${errors.mediaType}; charset=utf-8`,
    `X-Request-Id: ${requestId}`,
    `Content-Length: ${Buffer.byteLength(body)}`,
  ];
  socket.end(`${head.join("\r\n")}\r\nConnection: close\r\n\r\n${body}`);
}

/** Method and path at the beginning of a request. */
const REQUEST_LINE = /^([A-Z-]+) ([^\s?]+)/;
/** Longer than any path of ours. */
const LONGEST_LINE = 1024;

/** Of the request whose body is broken; of the request line where the head is, if it is in the same packet. */
function surfaceOf({ rawPacket }: ClientError, request: IncomingMessage | undefined, surfaces: Surfaces): Surface {
  const packet = Buffer.isBuffer(rawPacket) ? rawPacket.toString("latin1", 0, LONGEST_LINE) : "";
  const line = request === undefined ? packet : `${request.method} ${request.url}`;
  const [, method = "", path = ""] = REQUEST_LINE.exec(line) ?? [];
  return surfaces.of(method, path);
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
