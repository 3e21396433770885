import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A wire to a database that a test can cut and mend: what a stopped database looks like from outside. */
export type Wire = {
  /** The same database and login, past the wire. */
  url: string;
  /** Breaks what is open and refuses what comes, until `mend`. */
  cut(): void;
  mend(): void;
  close(): Promise<void>;
};

export async function openWire(databaseUrl: string): Promise<Wire> {
  const target = targetOf(new URL(databaseUrl));
  const open = new Set<Socket>();
  let whole = true;
  const server = createServer((near) => {
    if (!whole) return void near.destroy();
    const far = connect(target);
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.on("error", () => other.destroy());
      socket.on("close", () => {
        open.delete(socket);
        other.destroy();
      });
    }
    near.pipe(far).pipe(near);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = (): void => {
    whole = false;
    for (const socket of open) socket.destroy();
  };
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const name of ["host", "port"]) url.searchParams.delete(name);
  return {
    url: url.href,
    cut,
    mend: () => {
      whole = true;
    },
    async close() {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}

/** The embedded database listens on a socket in the file system, which its URL names as `?host=<directory>&port=`. */
function targetOf(url: URL): { path: string } | { host: string; port: number } {
  const directory = url.searchParams.get("host");
  if (directory?.startsWith("/")) return { path: `${directory}/.s.PGSQL.${url.searchParams.get("port") ?? POSTGRES}` };
  return { host: url.hostname, port: Number(url.port || POSTGRES) };
}

const POSTGRES = 5432;
