import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { quantile } from "../bench/figures.ts";
import { memoryOf } from "../bench/processes.ts";
import { atMost, type Experiment, none } from "./experiment.ts";
import { acceptDelays, answeredOf, delaysLine, stretch } from "./ledger.ts";
import { startLoad } from "./load.ts";

const CONNECTIONS = { full: 400, short: 40 };
/** What is at stake is how long their bytes are held, not how fast they come: 120 MiB a second. */
const CONNECTIONS_PER_SECOND = 40;
/** As large as a callback may be, all but its last byte. */
const BYTES = Buffer.alloc(3 * 1024 * 1024 - 1, " ");
const OTHERS_PER_SECOND = 50;
/** In MB: a process at this rate takes about 200. */
const MOST_MEMORY_MB = 350;

export const halfSent: Experiment = {
  promise: "callbacks that strangers send all but a byte of take little memory, and delay no sends",
  async run(lab) {
    const tenants = await lab.furnish(2, 1);
    const { url, pid } = await lab.serve();
    const load = startLoad(lab, { tenants, perSecond: OTHERS_PER_SECOND, through: lab.running });
    await sleep(3_000); // until connections and code are warm
    const calm = await stretch(lab.short ? 2_000 : 15_000);
    const memoryBefore = memoryOf([pid]);
    const connections = lab.short ? CONNECTIONS.short : CONNECTIONS.full;
    const sending = halfSend(url, connections);
    const during = await stretch((connections / CONNECTIONS_PER_SECOND) * 1_000 + 5_000);
    const sockets = await sending;
    await load.stop();
    const memory = memoryOf([pid]);
    for (const { socket } of sockets) socket.destroy();
    const [before, beside] = [acceptDelays(load.placed, calm), acceptDelays(load.placed, during)];
    lab.say(`accepts before: ${delaysLine(before)}; beside the halves: ${delaysLine(beside)}`);
    lab.say(`memory before: ${memoryBefore.now} MiB; its peak beside them: ${memory.peak} MiB`);
    const answered = sockets.filter(({ text }) => text !== "");
    lab.say(`${answered.length} of ${connections} were refused with 503`);
    const measured = [
      atMost("the process's memory at its peak", (memory.peak * 1024 * 1024) / 1e6, MOST_MEMORY_MB, "MB"),
      atMost("p99 of accepts, of the one before", quantile(beside, 0.99) / quantile(before, 0.99), 2),
    ];
    return {
      figures: { accepted: answeredOf(load.placed).length },
      bounds: [
        none("posts that were not accepted", load.placed.length - answeredOf(load.placed).length),
        none(
          "halves that were answered otherwise than 503",
          answered.filter(({ text }) => !text.startsWith("HTTP/1.1 503 ")).length,
        ),
        ...(lab.short ? [] : measured),
      ],
    };
  },
};

type Half = { socket: Socket; text: string };

/** Opens the connections, which stay open; a signature that is there, and wrong, is found wrong at the end of the body only. */
async function halfSend(url: string, connections: number): Promise<Half[]> {
  const { hostname, port } = new URL(url);
  const head = [
    "POST /webhooks/receive HTTP/1.1",
    "Host: a",
    `X-Hub-Signature-256: sha256=${"0".repeat(64)}`,
    `Content-Length: ${BYTES.length + 1}`,
  ];
  const halves: Half[] = [];
  for (let n = 0; n < connections; n += 1) {
    const half: Half = { socket: connect(Number(port), hostname), text: "" };
    half.socket.on("data", (bytes) => (half.text += bytes.toString()));
    half.socket.on("error", () => undefined);
    half.socket.write(`${head.join("\r\n")}\r\n\r\n`);
    half.socket.write(BYTES);
    halves.push(half);
    await sleep(1_000 / CONNECTIONS_PER_SECOND);
  }
  return halves;
}
