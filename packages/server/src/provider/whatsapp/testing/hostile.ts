import { once } from "node:events";
import { createServer, type Server, type Socket } from "node:net";

/**
 * A raw TCP server that counts every byte it receives and answers complete requests as given: `answer` gets the socket when the
 * body has arrived. `bytes` and `requests` are what really crossed the wire.
 */
export type Hostile = {
  url: string;
  readonly bytes: number;
  readonly requests: string[];
  readonly connections: number;
  /** Resolves when that many requests have arrived whole. */
  received(count: number): Promise<void>;
  close(): Promise<void>;
};

export async function hostile(
  answer: (socket: Socket, request: string, index: number) => void,
  onConnection: (socket: Socket) => void = () => {},
): Promise<Hostile> {
  const sockets = new Set<Socket>();
  const requests: string[] = [];
  const waiting: Array<() => void> = [];
  let bytes = 0;
  let connections = 0;
  const server: Server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    socket.on("error", () => {});
    let text = "";
    socket.on("data", (chunk) => {
      bytes += chunk.length;
      text += chunk.toString("latin1");
      const request = wholeRequest(text);
      if (request === null) return;
      text = text.slice(request.length);
      requests.push(request);
      for (const wake of waiting.splice(0)) wake();
      answer(socket, request, requests.length - 1);
    });
    onConnection(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    requests,
    get bytes() {
      return bytes;
    },
    get connections() {
      return connections;
    },
    async received(count) {
      while (requests.length < count) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
  };
}

function wholeRequest(text: string): string | null {
  const head = text.indexOf("\r\n\r\n");
  if (head === -1) return null;
  const length = Number(/content-length: (\d+)/i.exec(text.slice(0, head))?.[1] ?? 0);
  const end = head + 4 + length;
  return text.length < end ? null : text.slice(0, end);
}

/** A whole HTTP/1.1 answer. */
export function httpAnswer(status: number, body: string, headers = "content-type: application/json\r\n"): string {
  return `HTTP/1.1 ${status} X\r\n${headers}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}
