import type { Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach } from "vitest";
import type { Provider, SendOutcome, SendRequest } from "../../provider.ts";
import { createWhatsApp } from "../adapter.ts";
import { type Hostile, hostile } from "./hostile.ts";

/** One good send; tests change what they are about. */
export const request: SendRequest = {
  accessToken: "EAADEMO",
  providerPhoneNumberId: "1055",
  to: "+15550001111",
  userId: null,
  type: "text",
  content: { body: "Zoë says hi" },
  replyToProviderId: null,
  correlationToken: "m_01J9Z",
  mayWrite: () => true,
};

/** "accepted", or kind, class and whether bytes may have left. */
export function summary(outcome: SendOutcome): unknown {
  return outcome.kind === "accepted" ? "accepted" : [outcome.kind, outcome.error.class, outcome.error.bytesSent];
}

/** Peers and providers of one test file, closed after each test. */
export function sendingTools() {
  const closing: Array<() => Promise<void>> = [];
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
  });

  async function peer(
    answer: Parameters<typeof hostile>[0],
    onConnection?: (socket: Socket) => void,
  ): Promise<Hostile> {
    const server = await hostile(answer, onConnection);
    closing.push(() => server.close());
    return server;
  }

  function whatsapp(baseUrl: string, totalMs = 10_000): Provider {
    const provider = createWhatsApp({
      baseUrl,
      apiVersion: "v26.0",
      appSecrets: ["demo-app-secret", "older"],
      verifyToken: "verify-me",
      timeouts: { connectMs: 1_000, totalMs },
    });
    let closed: Promise<void> | undefined;
    const close = (): Promise<void> => (closed ??= provider.close());
    closing.push(close);
    return { ...provider, close };
  }

  /** Sends one message to a peer that answers it like this. */
  async function sendTo(answer: (socket: Socket) => void, totalMs?: number): Promise<SendOutcome> {
    const server = await peer((socket) => answer(socket));
    return whatsapp(server.url, totalMs).send(request);
  }

  return { peer, whatsapp, sendTo };
}

/** undici gives a connection back to its pool one turn of the event loop after the answer; until then a send opens another. */
export async function kept(): Promise<void> {
  await nextTurn();
  await nextTurn();
}
