import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";
import { targetOf } from "../packages/server/src/testing/wire.ts";

/** The way to the database as a network has it: one that can fall silent without telling anybody. */
export type Proxy = {
  /** The same database and login, by this way. */
  url: string;
  /** From now on nothing passes on the connections that are open, and none of them is closed. */
  silence(): void;
  /** Connections that come from now on pass nothing either, until `mend`; those stay silent for good, as the first do. */
  silenceNew(): void;
  mend(): void;
  close(): Promise<void>;
};

export async function openProxy(databaseUrl: string): Promise<Proxy> {
  const target = targetOf(new URL(databaseUrl));
  const open = new Set<Socket>();
  const lines = new Set<{ silent: boolean }>();
  let newAreSilent = false;
  const server = createServer((near) => {
    const line = { silent: newAreSilent };
    const far = connect(target);
    lines.add(line);
    relay(near, far, line);
    relay(far, near, line);
    for (const socket of [near, far]) {
      open.add(socket);
      socket.setNoDelay(true);
      socket.on("error", () => {}); // `close` follows
      socket.on("close", () => {
        open.delete(socket);
        if (line.silent) return; // the other side is told nothing
        lines.delete(line);
        near.destroy();
        far.destroy();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`; // it listens on a port, not on a path
  for (const name of ["host", "port"]) url.searchParams.delete(name);
  return {
    url: url.href,
    silence() {
      for (const line of lines) line.silent = true;
    },
    silenceNew() {
      newAreSilent = true;
    },
    mend() {
      newAreSilent = false;
    },
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** What comes on a silent line is taken and goes nowhere. */
function relay(from: Socket, to: Socket, line: { silent: boolean }): void {
  from.on("data", (bytes) => {
    if (!line.silent) to.write(bytes);
  });
}
