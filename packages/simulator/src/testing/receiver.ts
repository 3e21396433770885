import { createHmac } from "node:crypto";
import { createServer } from "node:http";

export const APP_SECRET = "demo-app-secret";
export const VERIFY_TOKEN = "demo-verify-token";

/** A value of the wire whose shape the test asserts itself. */
export type Json = ReturnType<typeof JSON.parse>;

export type ReceivedPost = { raw: string; signature: string | undefined; verified: boolean; payload: Payload };
export type Payload = { object: string; entry: { id: string; time?: number; changes: Change[] }[] };
export type Change = { field: string; value: Record<string, Json> };

/** A callback receiver that checks the signature over the raw bytes; it answers what `answer` says (200). */
export async function startReceiver() {
  const posts: ReceivedPost[] = [];
  const waiting = new Set<() => void>();
  const receiver = {
    url: "",
    posts,
    /** HTTP status for each POST, or a promise of one; 0 leaves it without an answer. */
    answer: (_post: ReceivedPost): number | Promise<number> => 200,
    changes: () => posts.flatMap((post) => post.payload.entry.flatMap((entry) => entry.changes)),
    statuses: () => receiver.changes().flatMap((change) => (change.value["statuses"] ?? []) as Record<string, Json>[]),
    /** Resolves as soon as the condition holds, looked at after each POST. */
    until: (holds: () => boolean) =>
      new Promise<void>((resolve) => {
        const check = () => {
          if (!holds()) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      }),
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://receiver");
    if (request.method === "GET") {
      const known = url.searchParams.get("hub.verify_token") === VERIFY_TOKEN;
      response.writeHead(known ? 200 : 403).end(known ? url.searchParams.get("hub.challenge") : "");
      return;
    }
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    const receive = async () => {
      const bytes = Buffer.concat(chunks);
      const signature = request.headers["x-hub-signature-256"] as string | undefined;
      const expected = `sha256=${createHmac("sha256", APP_SECRET).update(bytes).digest("hex")}`;
      const raw = bytes.toString("utf8");
      const post = { raw, signature, verified: signature === expected, payload: JSON.parse(raw) as Payload };
      const status = await receiver.answer(post);
      if (status === 200) posts.push(post);
      if (status !== 0) response.writeHead(status).end();
      for (const check of waiting) check();
    };
    request.on("end", () => void receive());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the receiver has no port");
  receiver.url = `http://127.0.0.1:${address.port}/webhooks/receive`;
  return receiver;
}
