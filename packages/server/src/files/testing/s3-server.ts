import { createHash, createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** The key that the server knows. */
export const S3_KEY = { accessKeyId: "test-key", secretAccessKey: "test-secret", region: "us-east-1" } as const;
export const S3_BUCKET = "bucket";
/** Small, so that a few objects are several pages. */
const PAGE = 2;

/** What the server does instead of answering. */
export type S3Fault = "hang" | "cut" | "slow down" | null;

/**
 * As much of an S3 server as a file store uses, in memory. It checks signatures by its own reading of AWS Signature Version 4, and the
 * digest of each body.
 */
export class S3Server {
  readonly objects = new Map<string, { bytes: Buffer; at: Date }>();
  /** Of the next requests, one after the other; then it answers. */
  readonly faults: S3Fault[] = [];
  /** Of every request, while it is set. */
  fault: S3Fault = null;
  /** Answers with a part where one is asked for. */
  knowsRanges = true;
  readonly #server = createServer((request, response) => void this.#answer(request, response));

  async listen(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`; // it listens on TCP
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const fault = this.faults.shift() ?? this.fault;
    if (fault === "hang") return;
    if (fault === "cut") return void request.socket.destroy();
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer); // no encoding is set
    const body = Buffer.concat(chunks);
    const refuse = (status: number, code: string): void =>
      void response.writeHead(status).end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
    if (fault === "slow down") return refuse(503, "SlowDown");
    if (!isSigned(request)) return refuse(403, "SignatureDoesNotMatch");
    if (request.headers["x-amz-content-sha256"] !== hex(body)) return refuse(400, "XAmzContentSHA256Mismatch");
    const url = new URL(request.url ?? "/", "http://any");
    const key = url.pathname.slice(S3_BUCKET.length + 2);
    if (key === "") return void response.end(this.#list(url.searchParams));
    const known = this.objects.get(key);
    if (request.method === "PUT") {
      if (request.headers["content-length"] === undefined) return refuse(411, "MissingContentLength");
      this.objects.set(key, { bytes: body, at: new Date() });
      return void response.end();
    }
    if (request.method === "DELETE") {
      this.objects.delete(key);
      return void response.writeHead(204).end();
    }
    if (known === undefined) return refuse(404, "NoSuchKey");
    const { bytes } = known;
    const [range, from = "", to = ""] = /^bytes=(\d+)-(\d*)$/.exec(request.headers.range ?? "") ?? [];
    if (range === undefined || !this.knowsRanges) return void response.end(bytes);
    if (Number(from) >= bytes.length) return refuse(416, "InvalidRange");
    const end = Math.min(to === "" ? Number.MAX_SAFE_INTEGER : Number(to), bytes.length - 1);
    response.writeHead(206, { "content-range": `bytes ${from}-${end}/${bytes.length}` });
    response.end(bytes.subarray(Number(from), end + 1));
  }

  #list(query: URLSearchParams): string {
    const prefix = query.get("prefix") ?? "";
    const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix)).toSorted();
    const after = query.get("continuation-token");
    const from = after === null ? 0 : keys.findIndex((key) => key > Buffer.from(after, "base64").toString());
    const page = from < 0 ? [] : keys.slice(from, from + PAGE);
    const more = from >= 0 && from + PAGE < keys.length;
    const next = more
      ? `<NextContinuationToken>${Buffer.from(page.at(-1) ?? "").toString("base64")}</NextContinuationToken>`
      : "";
    const contents = page.map(
      (key) =>
        `<Contents><Key>${key}</Key><LastModified>${this.objects.get(key)?.at.toISOString()}</LastModified></Contents>`,
    );
    return `<?xml version="1.0"?><ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${contents.join("")}</ListBucketResult>`;
  }
}

const hex = (bytes: string | Buffer): string => createHash("sha256").update(bytes).digest("hex");
const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();

function isSigned({ method, url = "/", headers }: IncomingMessage): boolean {
  const [, scope = "", names = "", signature = ""] =
    /^AWS4-HMAC-SHA256 Credential=test-key\/([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]+)$/.exec(
      headers.authorization ?? "",
    ) ?? [];
  const [day = "", region = "", service = ""] = scope.split("/");
  const { pathname, searchParams } = new URL(url, "http://any");
  const query = [...searchParams]
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
    .toSorted()
    .join("&");
  const signed = names.split(";").map((name) => `${name}:${String(headers[name]).trim()}\n`);
  const canonical = [method, pathname, query, signed.join(""), names, headers["x-amz-content-sha256"]].join("\n");
  const toSign = ["AWS4-HMAC-SHA256", headers["x-amz-date"], scope, hex(canonical)].join("\n");
  const key = [region, service, "aws4_request"].reduce(hmac, hmac(`AWS4${S3_KEY.secretAccessKey}`, day));
  return names.includes("host") && hmac(key, toSign).toString("hex") === signature;
}
