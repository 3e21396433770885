import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { targetOf } from "../../packages/server/src/testing/database-proxy.ts";

/** A proxy to the database that simulates a network: silence is the fault that no socket reports. */
export type Network = {
  /** The same database and login, through the proxy. */
  url: string;
  /** New connections work; silent ones stay silent, because the bytes on them are lost. */
  pass(): void;
  /** From now on all bytes on open connections, in either direction, are lost, without a FIN; `all`: on new ones too. */
  swallow(which: "open" | "all"): void;
  /** Breaks open and new connections until `pass`. */
  cut(): void;
  /** All bytes are delayed by this much, in each direction. */
  delay(ms: number): void;
  /** Connections that the gateway has not closed. */
  readonly open: number;
  /** Pieces of bytes of the gateway that were lost. */
  readonly lost: number;
  close(): Promise<void>;
};

type Line = { near: Socket; far: Socket; silent: boolean };

export async function openNetwork(databaseUrl: string): Promise<Network> {
  const target = targetOf(new URL(databaseUrl));
  const lines = new Set<Line>();
  /** Also the far ends of silent lines that the gateway has closed: the server does not learn of it, and they stay until `close`. */
  const sockets = new Set<Socket>();
  let mode: "pass" | "swallow" | "cut" = "pass";
  let delayMs = 0;
  let lost = 0;
  const server = createServer((near) => {
    if (mode === "cut") return void near.destroy();
    const line: Line = { near, far: connect(target), silent: mode === "swallow" };
    lines.add(line);
    for (const socket of [near, line.far]) {
      sockets.add(socket);
      socket.on("close", () => void sockets.delete(socket));
    }
    relay(line, near, line.far);
    relay(line, line.far, near);
    near.on("close", () => lines.delete(line));
  });

  function relay(line: Line, from: Socket, to: Socket): void {
    let last = 0;
    const later = (act: () => void): void => {
      if (line.silent) return;
      if (delayMs === 0 && last <= performance.now()) return act();
      // In order, even when the delay changes.
      last = Math.max(last, performance.now() + delayMs);
      setTimeout(() => line.silent || act(), last - performance.now());
    };
    from.setNoDelay(true);
    from.on("data", (bytes) => {
      if (line.silent && from === line.near) lost += 1;
      later(() => void to.write(bytes));
    });
    from.on("error", () => {}); // its close follows
    from.on("close", () => later(() => void to.destroy()));
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`; // the server listens on a port, not on a path
  for (const name of ["host", "port"]) url.searchParams.delete(name);
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: url.href,
    pass() {
      mode = "pass";
    },
    swallow(which) {
      mode = which === "all" ? "swallow" : "pass";
      for (const line of lines) line.silent = true;
    },
    cut() {
      mode = "cut";
      breakAll();
    },
    delay(ms) {
      delayMs = ms;
    },
    get open() {
      return lines.size;
    },
    get lost() {
      return lost;
    },
    async close() {
      mode = "cut";
      breakAll();
      server.close();
      await once(server, "close");
    },
  };
}
