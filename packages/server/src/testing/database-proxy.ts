import { once } from "node:events";
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from "node:net";

/** A proxy between a gateway and its database, for faults at a chosen point. */
export type DatabaseProxy = {
  /** The same database and login, through the proxy. */
  url: string;
  /** Breaks open and new connections until `mend`, as if the database had stopped. */
  cut(): void;
  mend(): void;
  /**
   * Resolves when the next call whose statement contains `text` stands still: as a request it has done nothing yet, with its
   * answer held, it has committed and the caller does not know.
   */
  hold(text: string, at: "request" | "answer"): Promise<Held>;
  /** How many statements have been answered so far, those of transactions aside. */
  calls(): number;
  close(): Promise<void>;
};

/** A call that is held on its way. */
export type Held = {
  /** Lets it continue. */
  pass(): void;
  /** Breaks its connection, on both sides. */
  cut(): void;
};

type Trap = { text: string; at: "request" | "answer"; sprung(held: Held): void };

export async function openDatabaseProxy(databaseUrl: string): Promise<DatabaseProxy> {
  const target = targetOf(new URL(databaseUrl));
  const open = new Set<Socket>();
  let traps: Trap[] = [];
  let whole = true;
  let calls = 0;
  // It also listens while it is cut: another program could take a port that was released.
  const server = createServer((near) => {
    if (!whole) return void near.destroy();
    const far = connect(target);
    for (const socket of [near, far]) {
      open.add(socket);
      socket.on("close", () => open.delete(socket));
    }
    relay(near, far, (bytes) => {
      const trap = traps.find(({ text }) => bytes.includes(text));
      if (trap) traps = traps.filter((other) => other !== trap);
      return trap;
    });
    far.on("data", (bytes) => {
      if (bytes.subarray(-READY.length).equals(READY)) calls += 1;
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = (): void => {
    whole = false;
    for (const socket of open) socket.destroy();
  };
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`; // the server listens on a port, not on a path
  for (const name of ["host", "port"]) url.searchParams.delete(name);
  return {
    url: url.href,
    cut,
    mend: () => {
      whole = true;
    },
    hold: (text, at) => new Promise((sprung) => void traps.push({ text, at, sprung })),
    calls: () => calls,
    async close() {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}

/** Forwards all bytes except those of the call that `takeTrap` recognizes. */
function relay(near: Socket, far: Socket, takeTrap: (bytes: Buffer) => Trap | undefined): void {
  const cut = (): void => {
    near.destroy();
    far.destroy();
  };
  for (const socket of [near, far]) socket.setNoDelay(true).on("error", cut).on("close", cut);
  let awaited: { trap: Trap; answer: Buffer } | null = null;
  near.on("data", (bytes) => {
    const trap = takeTrap(bytes);
    if (trap?.at === "request") return trap.sprung({ pass: () => void far.write(bytes), cut });
    if (trap) awaited = { trap, answer: Buffer.alloc(0) };
    far.write(bytes);
  });
  far.on("data", (bytes) => {
    if (awaited === null) return void near.write(bytes);
    awaited.answer = Buffer.concat([awaited.answer, bytes]);
    if (awaited.answer.subarray(-READY.length).equals(READY)) awaited.trap.sprung({ pass, cut });
  });
  const pass = (): void => {
    if (awaited) near.write(awaited.answer);
    awaited = null;
  };
}

/** ReadyForQuery, no transaction open: the last bytes of every answer, sent after the commit. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

/** The embedded database listens on a socket in the file system, which its URL names as `?host=<directory>&port=`. */
export function targetOf(url: URL): NetConnectOpts {
  const directory = url.searchParams.get("host");
  if (directory?.startsWith("/")) return { path: `${directory}/.s.PGSQL.${url.searchParams.get("port") ?? POSTGRES}` };
  return { host: url.hostname, port: Number(url.port || POSTGRES) };
}

const POSTGRES = 5432;
