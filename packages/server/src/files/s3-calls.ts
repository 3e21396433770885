import type { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { AwsV4Signer } from "aws4fetch";
import { Agent, request } from "undici";
import { FileStoreUnavailable } from "./file-store.ts";

/** Where a bucket is, and who asks. */
export type Bucket = {
  bucket: string;
  /** Of a server beside AWS, whose buckets are paths; null: AWS, whose buckets are hosts. */
  endpoint: string | null;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  sessionToken: string | null;
};

export type S3Call = {
  method: "GET" | "PUT" | "DELETE";
  /** Of the object; empty for the bucket itself. */
  key: string;
  query?: Readonly<Record<string, string>>;
  headers?: Readonly<Record<string, string>>;
  /** Opened for each try. */
  body?: { size: number; sha256: string; open(): Readable };
};
export type S3Answer = { status: number; body: Readable };

const CONNECT_MS = 5_000;
type Limits = {
  /** A store that takes longer to answer is taken for away. */
  answerMs: number;
};
const LIMITS: Limits = { answerMs: 20_000 };
/** So much longer it may take for the bytes that it is sent: 100 MB have five minutes, and a photo is not waited for as long. */
const SLOWEST_BYTES_PER_MS = 350;
/** S3 asks for repetition now and then (`SlowDown`, `InternalError`), and closes idle connections. */
const MOST_TRIES = 3;
const BETWEEN_TRIES_MS = 200;
const LARGEST_ERROR_BYTES = 16 * 1_024;
/** SHA-256 of nothing. */
const EMPTY = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** The calls of an S3-compatible server that a file store needs, signed (AWS Signature Version 4). */
export class S3Calls {
  readonly #bucket: Bucket;
  readonly #limits: Limits;
  readonly #agent: Agent;

  constructor(bucket: Bucket, limits: Partial<Limits> = {}) {
    this.#bucket = bucket;
    this.#limits = { ...LIMITS, ...limits };
    this.#agent = new Agent({ connect: { timeout: CONNECT_MS }, bodyTimeout: this.#limits.answerMs });
  }

  /** The answer, also a refusal that `expected` names by its status. Rejects with `FileStoreUnavailable` for every other. */
  async call(call: S3Call, expected: readonly number[]): Promise<S3Answer> {
    for (let tries = 1; ; tries++) {
      try {
        const answer = await this.#try(call);
        if (expected.includes(answer.status)) return answer;
        const refusal = await refusalOf(answer);
        if (answer.status < 500 || tries === MOST_TRIES) throw new FileStoreUnavailable(refusal);
      } catch (error) {
        if (error instanceof FileStoreUnavailable) throw error;
        if (tries === MOST_TRIES || !isLost(error))
          throw new FileStoreUnavailable("the store of MEDIA_STORE does not answer", { cause: error });
      }
      await pause(BETWEEN_TRIES_MS * tries);
    }
  }

  close(): Promise<void> {
    return this.#agent.close();
  }

  async #try({ method, key, query = {}, headers = {}, body }: S3Call): Promise<S3Answer> {
    const { region, accessKeyId, secretAccessKey, sessionToken } = this.#bucket;
    const signer = new AwsV4Signer({
      method,
      url: this.#urlOf(key, query).href,
      headers: {
        ...headers,
        "x-amz-content-sha256": body?.sha256 ?? EMPTY,
        ...(body === undefined ? {} : { "content-length": String(body.size) }),
      },
      service: "s3",
      region,
      accessKeyId,
      secretAccessKey,
      ...(sessionToken === null ? {} : { sessionToken }),
    });
    const signed = await signer.sign();
    const withinMs = this.#limits.answerMs + Math.ceil((body?.size ?? 0) / SLOWEST_BYTES_PER_MS);
    const opened = body?.open() ?? null;
    try {
      const answer = await request(signed.url, {
        method,
        headers: Object.fromEntries(signed.headers),
        body: opened,
        dispatcher: this.#agent,
        headersTimeout: withinMs,
        ...(body === undefined ? {} : { signal: AbortSignal.timeout(withinMs) }),
      });
      return { status: answer.statusCode, body: answer.body };
    } finally {
      opened?.destroy();
    }
  }

  #urlOf(key: string, query: Readonly<Record<string, string>>): URL {
    const { bucket, endpoint, region } = this.#bucket;
    const base = endpoint === null ? `https://${bucket}.s3.${region}.amazonaws.com` : `${endpoint}/${bucket}`;
    const url = new URL(key === "" ? base : `${base}/${key}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    return url;
  }
}

/** Connections that were closed or never opened: of a shut-down store each try ends at once. */
const isLost = (error: unknown): boolean =>
  error instanceof Error &&
  "code" in error &&
  ["ECONNRESET", "ECONNREFUSED", "EPIPE", "UND_ERR_SOCKET"].includes(String(error.code));

/** What a refusal says, without anything that was sent. */
async function refusalOf({ status, body }: S3Answer): Promise<string> {
  let text = "";
  try {
    for await (const chunk of body) {
      text += String(chunk);
      if (text.length > LARGEST_ERROR_BYTES) break;
    }
  } catch {
    // The status alone has to do.
  }
  const code = /<Code>(\w{1,60})<\/Code>/.exec(text)?.[1];
  return `the store of MEDIA_STORE answered ${status}${code === undefined ? "" : ` ${code}`}`;
}
