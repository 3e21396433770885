import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { targetOf } from "../../packages/server/src/testing/database-proxy.ts";

/** A way to the database over which a test decides what a network does: silence is the fault that no socket tells. */
export type Network = {
  /** The same database and login, by this way. */
  url: string;
  /** New connections work; those that went silent stay so, for what was on them is lost. */
  pass(): void;
  /** What the open connections say from now on, in either direction, is lost, without a FIN; `all`: on new ones as well. */
  swallow(which: "open" | "all"): void;
  /** Breaks what is open and what comes, until `pass`. */
  cut(): void;
  /** Everything takes this much longer on its way, each way. */
  delay(ms: number): void;
  /** Connections that nobody has given up at our end. */
  readonly open: number;
  close(): Promise<void>;
};

type Line = { near: Socket; far: Socket; silent: boolean };

export async function openNetwork(databaseUrl: string): Promise<Network> {
  const target = targetOf(new URL(databaseUrl));
  const lines = new Set<Line>();
  let mode: "pass" | "swallow" | "cut" = "pass";
  let delayMs = 0;
  const server = createServer((near) => {
    if (mode === "cut") return void near.destroy();
    const line: Line = { near, far: connect(target), silent: mode === "swallow" };
    lines.add(line);
    relay(line, near, line.far);
    relay(line, line.far, near);
    near.on("close", () => lines.delete(line));
  });

  function relay(line: Line, from: Socket, to: Socket): void {
    let last = 0;
    const later = (act: () => void): void => {
      if (line.silent) return;
      if (delayMs === 0 && last <= performance.now()) return act();
      // In order, also when the delay changes on the way.
      last = Math.max(last, performance.now() + delayMs);
      setTimeout(() => line.silent || act(), last - performance.now());
    };
    from.setNoDelay(true);
    from.on("data", (bytes) => later(() => void to.write(bytes)));
    from.on("error", () => {}); // its close follows
    from.on("close", () => later(() => void to.destroy()));
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port, not on a path
  for (const name of ["host", "port"]) url.searchParams.delete(name);
  const breakAll = (): void => {
    for (const { near, far } of lines) for (const socket of [near, far]) socket.destroy();
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
    async close() {
      mode = "cut";
      breakAll();
      server.close();
      await once(server, "close");
    },
  };
}
