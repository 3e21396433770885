import { Agent as HttpAgent, request as httpRequest } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";

/** Bytes of an answer worth reading: a challenge, or nothing. */
const ANSWER_BYTES = 4096;

export type Answer = { status: number; body: string };

/**
 * Sends callbacks over kept connections. Plain `node:http` instead of `fetch`: at thousands of statuses a second
 * the simulator must not be what a load test measures.
 */
export class CallbackClient {
  readonly #http = new HttpAgent({ keepAlive: true });
  readonly #https = new HttpsAgent({ keepAlive: true });

  /** POSTs signed bytes; the signature is the whole header value, null to send none. Rejects on any network failure. */
  post(url: string, body: Buffer, signature: string | null, timeoutMs: number): Promise<Answer> {
    const headers: Record<string, string | number> = {
      "content-type": "application/json",
      "content-length": body.length,
      "user-agent": "facebookexternalua",
    };
    if (signature !== null) headers["x-hub-signature-256"] = signature;
    return this.#exchange(url, "POST", headers, body, timeoutMs);
  }

  get(url: string, timeoutMs: number): Promise<Answer> {
    return this.#exchange(url, "GET", { "user-agent": "facebookplatform/1.0" }, null, timeoutMs);
  }

  close(): void {
    this.#http.destroy();
    this.#https.destroy();
  }

  #exchange(
    url: string,
    method: string,
    headers: Record<string, string | number>,
    body: Buffer | null,
    timeoutMs: number,
  ): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const secure = url.startsWith("https:");
      const send = secure ? httpsRequest : httpRequest;
      const request = send(url, { method, headers, agent: secure ? this.#https : this.#http });
      // One deadline for connecting, sending and reading: a receiver that drips bytes does not hold a slot for ever.
      const deadline = setTimeout(() => request.destroy(new Error("timeout")), timeoutMs);
      request.on("response", (response) => {
        const chunks: Buffer[] = [];
        let size = 0;
        response.on("data", (chunk: Buffer) => {
          size += chunk.length;
          if (size <= ANSWER_BYTES) chunks.push(chunk);
        });
        response.on("end", () => {
          clearTimeout(deadline);
          resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString("utf8") });
        });
        response.on("error", reject);
      });
      request.on("error", (error) => {
        clearTimeout(deadline);
        reject(error);
      });
      request.end(body ?? undefined);
    });
  }
}
