import { Buffer } from "node:buffer";
import type { Socket } from "node:net";
import type { buildConnector } from "undici";

/**
 * A client must take any number of interim answers (1xx) before the final one, asked for or not (RFC 9110, 15.2). undici destroys the
 * socket at a `100 Continue`, so that an answered request seems broken: a delivery would be posted again, a send end as `unknown`. Sockets
 * of the connector that is returned leave such answers out of what they read. `101` stays: it is a protocol that was not asked for.
 */
export function takingInterimAnswers(connect: buildConnector.connector): buildConnector.connector {
  return (target, callback) =>
    connect(target, (...result) => {
      const [error, socket] = result;
      if (error) return callback(error, null);
      leaveOutInterimAnswers(socket);
      callback(null, socket);
    });
}

function leaveOutInterimAnswers(socket: Socket): void {
  const filter = new InterimAnswers();
  const write = socket.write.bind(socket) as (...of: unknown[]) => boolean;
  const read = socket.read.bind(socket);
  socket.write = (...of: unknown[]): boolean => {
    // undici writes the head of a request as text, and bodies as bytes.
    if (typeof of[0] === "string") filter.expectAnswer();
    return write(...of);
  };
  socket.read = (size?: number): Buffer | null => {
    for (let chunk: Buffer | null = read(size); chunk !== null; chunk = read(size)) {
      const rest = filter.rest(chunk);
      if (rest.length > 0) return rest;
    }
    return null;
  };
}

/** More of them before one answer are an attack, and left to the parser, which refuses or reads them within its own bounds. */
const MOST_BYTES = 64 * 1_024;
/** Bytes of `HTTP/1.1 103`: they say whether an answer is an interim one. */
const STATUS_LENGTH = 12;
const INTERIM = /^HTTP\/1\.[01] 1(?!01)\d\d/;
const NOTHING = Buffer.alloc(0);
const LINE_FEED = 10;
const CARRIAGE_RETURN = 13;

/**
 * The bytes of one connection without interim answers. *Passing*: all go on, until a request is written. *At a head*: the next bytes
 * begin an answer. *Leaving out*: an interim answer, up to its empty line; then comes another head.
 */
class InterimAnswers {
  #state: "passing" | "at a head" | "leaving out" = "passing";
  /** The beginning of a head that is too short to be judged. */
  #begun: Buffer = NOTHING;
  /** The line of the interim answer that is being read has no byte yet. */
  #isEmptyLine = false;
  #leftOut = 0;

  expectAnswer(): void {
    this.#state = "at a head";
    this.#leftOut = 0;
  }

  /** What goes on of the chunk, after what was kept of those before. */
  rest(chunk: Buffer): Buffer {
    let bytes = chunk;
    while (this.#state !== "passing" && bytes.length > 0)
      bytes = this.#state === "at a head" ? this.#judge(bytes) : this.#leaveOut(bytes);
    return bytes;
  }

  #judge(chunk: Buffer): Buffer {
    const bytes = this.#begun.length === 0 ? chunk : Buffer.concat([this.#begun, chunk]);
    if (bytes.length < STATUS_LENGTH) {
      this.#begun = bytes;
      return NOTHING;
    }
    this.#begun = NOTHING;
    const isInterim = INTERIM.test(bytes.toString("latin1", 0, STATUS_LENGTH)) && this.#leftOut < MOST_BYTES;
    this.#state = isInterim ? "leaving out" : "passing";
    this.#isEmptyLine = false;
    return bytes;
  }

  #leaveOut(bytes: Buffer): Buffer {
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte === LINE_FEED && this.#isEmptyLine) {
        this.#leftOut += at + 1;
        this.#state = "at a head";
        return bytes.subarray(at + 1);
      }
      if (byte === LINE_FEED) this.#isEmptyLine = true;
      else if (byte !== CARRIAGE_RETURN) this.#isEmptyLine = false;
    }
    this.#leftOut += bytes.length;
    // In the midst of one, what follows is no answer that a parser could read.
    if (this.#leftOut >= MOST_BYTES) this.#state = "passing";
    return NOTHING;
  }
}
