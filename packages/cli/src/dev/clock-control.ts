import { createHash, timingSafeEqual } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";

/** Moves the clocks of gateway and simulator together. `to`: how far ahead, in milliseconds; 0 goes back to the real time. */
export type Clocks = { aheadMs: number; move(to: number): Promise<void> };
type ClockControl = { url: string; close(): Promise<void> };

/** Years from now no certificate, partition or retention has been tried. */
const MOST_AHEAD_MS = 400 * 86_400_000;
const LONGEST_BODY = 1_024;

/**
 * The control of the clock, on this machine and with the operator key. It is a listener of the process of `npm start`, so that no gateway
 * that serves has one.
 */
export async function openClockControl(clocks: Clocks, operatorKey: string): Promise<ClockControl> {
  let last: Promise<unknown> = Promise.resolve(); // moves are made one after the other
  const server = createServer((request, response) => {
    const answer = last.then(() => answerTo(request, clocks, operatorKey));
    last = answer.catch(() => undefined);
    void answer.then(
      ({ status, body }) => send(response, status, body),
      (error: unknown) => send(response, 500, { detail: error instanceof Error ? error.message : String(error) }),
    );
  });
  const port = await listen(server);
  return {
    url: `http://127.0.0.1:${port}/clock`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Answer = { status: number; body: object };

async function answerTo(request: IncomingMessage, clocks: Clocks, operatorKey: string): Promise<Answer> {
  const [, key = ""] = /^Bearer (.+)$/i.exec(request.headers.authorization ?? "") ?? [];
  if (!isSame(key, operatorKey)) return { status: 401, body: { detail: "The operator key is missing or wrong." } };
  if (request.url !== "/clock" || !["GET", "POST"].includes(request.method ?? ""))
    return { status: 404, body: { detail: "There is only GET and POST /clock." } };
  if (request.method === "POST") {
    const to = targetOf(await bodyOf(request), clocks.aheadMs);
    if (to === null)
      return {
        status: 400,
        body: { detail: "Give ahead_ms: 0, or by_ms, which is more than 0; at most 400 days ahead in all." },
      };
    await clocks.move(to);
  }
  return { status: 200, body: { now: new Date(Date.now() + clocks.aheadMs).toISOString(), ahead_ms: clocks.aheadMs } };
}

/** Null for what is no move. */
function targetOf(body: unknown, aheadMs: number): number | null {
  if (typeof body !== "object" || body === null) return null;
  const { ahead_ms, by_ms } = body as Record<string, unknown>; // each is looked at here
  if (ahead_ms === 0 && by_ms === undefined) return 0;
  if (ahead_ms !== undefined || typeof by_ms !== "number" || !Number.isSafeInteger(by_ms) || by_ms <= 0) return null;
  return aheadMs + by_ms <= MOST_AHEAD_MS ? aheadMs + by_ms : null;
}

async function bodyOf(request: IncomingMessage): Promise<unknown> {
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) {
    text += String(chunk);
    if (text.length > LONGEST_BODY) return null;
  }
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
const isSame = (one: string, other: string): boolean => timingSafeEqual(digest(one), digest(other));

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(`${JSON.stringify(body)}\n`);
}

const listen = (server: Server): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
