import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Metrics } from "../../lib/metrics.ts";

/** The listener of `/metrics`: plain HTTP, apart from the gateway's own port, so that what is public never shows it. */
export class MetricsListener {
  readonly #server: Server;

  constructor(metrics: Metrics) {
    this.#server = createServer((request, response) => {
      const answer = (status: number, type: string, body: string, headers = {}): void => {
        response.writeHead(status, { "content-type": type, "cache-control": "no-store", ...headers });
        response.end(request.method === "HEAD" ? undefined : body);
      };
      if (request.url?.split("?", 1)[0] !== "/metrics") return answer(404, TEXT, "Only /metrics is here.\n");
      if (request.method !== "GET" && request.method !== "HEAD")
        return answer(405, TEXT, "Only GET and HEAD.\n", { allow: "GET, HEAD" });
      metrics.text().then(
        (text) => answer(200, metrics.contentType, text),
        () => answer(500, TEXT, "The metrics could not be read.\n"),
      );
    });
  }

  /** Rejects with the system's error when the port is taken. */
  async listen(host: string, port: number): Promise<{ url: string }> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once("error", reject);
      this.#server.listen({ host, port }, () => {
        this.#server.off("error", reject);
        resolve();
      });
    });
    const { address, port: bound, family } = this.#server.address() as AddressInfo; // bound to a TCP port just now
    return { url: `http://${family === "IPv6" ? `[${address}]` : address}:${bound}/metrics` };
  }

  async close(): Promise<void> {
    const closed = new Promise((resolve) => this.#server.close(resolve));
    this.#server.closeAllConnections();
    await closed;
  }
}

const TEXT = "text/plain; charset=utf-8";
