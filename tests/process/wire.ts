import { once } from "node:events";
import { createServer, connect as dial, type NetConnectOpts, type Server, type Socket } from "node:net";

/** A call that stands still on its way. */
export type Held = {
  /** Lets it go on. */
  pass(): void;
  /** Breaks its connection, on both sides. */
  cut(): void;
};

/**
 * The way between a gateway and its database, for faults at a chosen place: a call stopped before the database sees it has
 * done nothing, one whose answer is stopped has committed and nobody knows.
 */
export type Wire = {
  /** The database by this way. */
  url: string;
  /** Resolves when the next call whose statement contains `text` stands: before the database, or with its answer. */
  hold(text: string, at: "request" | "answer"): Promise<Held>;
  /** Breaks every connection and refuses new ones. */
  down(): Promise<void>;
  up(): Promise<void>;
  close(): Promise<void>;
};

const POSTGRES_PORT = 5432;
/** ReadyForQuery, no transaction open: the last bytes of every answer, sent after the commit. */
const READY = Buffer.from([0x5a, 0, 0, 0, 5, 0x49]);

type Trap = { text: string; at: "request" | "answer"; sprung(held: Held): void };

export async function openWire(databaseUrl: string): Promise<Wire> {
  const target = addressOf(new URL(databaseUrl));
  const sockets = new Set<Socket>();
  let traps: Trap[] = [];
  let server = listener();
  await listen(server, 0);
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;

  function listener(): Server {
    return createServer((client) => join(client, dial(target)));
  }

  function join(client: Socket, database: Socket): void {
    let trapped: Trap | null = null;
    const answer: Buffer[] = [];
    const cut = (): void => {
      client.destroy();
      database.destroy();
    };
    for (const socket of [client, database]) {
      socket.setNoDelay(true);
      sockets.add(socket);
      socket.on("error", cut);
      socket.on("close", () => {
        sockets.delete(socket);
        cut();
      });
    }
    client.on("data", (bytes) => {
      const trap = traps.find(({ text }) => bytes.includes(text));
      if (!trap) return void database.write(bytes);
      traps = traps.filter((other) => other !== trap);
      if (trap.at === "request") {
        trap.sprung({ pass: () => void database.write(bytes), cut });
        return;
      }
      trapped = trap;
      database.write(bytes);
    });
    database.on("data", (bytes) => {
      if (!trapped) return void client.write(bytes);
      answer.push(bytes);
      const whole = Buffer.concat(answer);
      if (!whole.subarray(-READY.length).equals(READY)) return;
      const { sprung } = trapped;
      sprung({
        pass() {
          trapped = null;
          client.write(whole);
        },
        cut,
      });
    });
  }

  const url = new URL(databaseUrl);
  url.search = "";
  url.hostname = "127.0.0.1";
  url.port = String(port);
  const down = async (): Promise<void> => {
    const closed = once(server, "close");
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return {
    url: url.href,
    hold: (text, at) => new Promise((sprung) => void traps.push({ text, at, sprung })),
    down,
    async up() {
      server = listener();
      await listen(server, port);
    },
    close: down,
  };
}

// The embedded server listens on a socket in a directory that the query names, others on a port.
function addressOf({ hostname, port, searchParams }: URL): NetConnectOpts {
  const directory = searchParams.get("host");
  if (directory === null) return { host: hostname, port: Number(port || POSTGRES_PORT) };
  return { path: `${directory}/.s.PGSQL.${searchParams.get("port") ?? POSTGRES_PORT}` };
}

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
}
