import { randomBytes } from "node:crypto";

/** Makes the provider's opaque ids; unique over restarts, since a gateway keeps them for months in unique indexes. */
export type Ids = {
  /** `wamid.` and base64 that may contain `/`, `+` and `=`: a client that does not escape them in a URL fails here. */
  messageId(): string;
  /** Digits beyond 2^53: a client that parses the integer of a callback as a double gets another template. */
  templateId(): string;
  /** Digits, as of a number or an account. */
  mediaId(): string;
};

export function createIds(): Ids {
  const run = randomBytes(12);
  const firstTemplate = 10_000_000_000_000_001n + BigInt(randomBytes(4).readUInt32BE()) * 1_000_000n;
  let messages = 0;
  let templates = 0n;
  const firstMedia = 1_000_000_000_000_000n + BigInt(run.readUInt32BE(4)) * 100_000n;
  let media = 0n;
  return {
    messageId() {
      messages += 1;
      const bytes = Buffer.allocUnsafe(22);
      bytes.write("HBg", 0, "latin1");
      bytes.writeUIntBE(messages, 3, 6);
      run.copy(bytes, 9);
      bytes[21] = 0;
      return `wamid.${bytes.toString("base64")}`;
    },
    templateId() {
      templates += 2n;
      return String(firstTemplate + templates);
    },
    mediaId() {
      media += 1n;
      return String(firstMedia + media);
    },
  };
}

const TRACE_RUN = randomBytes(12).toString("base64url");
let traces = 0;

/** A trace id as in `fbtrace_id`. Counted, not drawn: random bytes for each answer were a tenth of a send's cost. */
export function traceId(): string {
  traces += 1;
  return `A${TRACE_RUN}${traces.toString(36).padStart(6, "0")}`;
}
