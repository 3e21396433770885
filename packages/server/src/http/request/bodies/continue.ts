import type { Server, ServerResponse } from "node:http";

/** Answers whose clients wait for `100 Continue` before they send the body. */
const waiting = new WeakSet<ServerResponse>();

/**
 * Leaves `Expect: 100-continue` to `invite`: Node would ask for the body before it is known whether it is taken. What else a client
 * expects is ignored, as RFC 9110 (10.1.1) lets it be: Node would answer 417 without a body.
 */
export function holdBack(server: Server): void {
  server.on("checkContinue", (request, response) => {
    waiting.add(response);
    server.emit("request", request, response);
  });
  server.on("checkExpectation", (request, response) => server.emit("request", request, response));
}

/** The body is about to be read: a client that waits for it to be asked for may send it. */
export function invite(response: ServerResponse): void {
  if (waiting.delete(response)) response.writeContinue();
}

/** True while the client still waits: after a refusal it may send its body or not, and nothing else can follow on the connection. */
export const isHeldBack = (response: ServerResponse): boolean => waiting.has(response);
