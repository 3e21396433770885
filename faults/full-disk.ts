import { setTimeout as sleep } from "node:timers/promises";
import { monotonicMs } from "../bench/monotonic.ts";
import { post, strangers } from "../tests/process/posting.ts";
import { startTexts } from "./callbacks.ts";
import { allThere } from "./event-errors.ts";
import { atLeast, atMost, type Experiment, none } from "./experiment.ts";
import { judge } from "./ledger.ts";
import { startLoad } from "./load.ts";
import { moveToSmallDisk } from "./small-disk.ts";

const PROBE_EVERY_MS = 100;
const ANSWER_WITHIN_MS = 20_000;
const BACK_WITHIN_S = 10;

export const fullDisk: Experiment = {
  promise:
    "a full disk is answered with 503 and loses, doubles and halves nothing; with room again all goes on by itself",
  async run(lab) {
    const disk = await moveToSmallDisk(lab.server);
    try {
      const [tenant] = await lab.furnish(1, 4);
      if (!tenant) throw new Error("no workspace");
      const process = await lab.serve();
      const through = lab.running;
      const load = startLoad(lab, { tenants: [tenant], perSecond: 40, perPerson: 5, through });
      const texts = startTexts(() => process.url, tenant.providerNumbers, 5);
      await sleep(3_000);
      const answers = new Map<number | null, number>();
      let seconds = 0;
      for (let round = 0; round < (lab.short ? 1 : 3); round += 1) {
        await disk.fill();
        const full = monotonicMs();
        while (monotonicMs() - full < (lab.short ? 8_000 : 30_000)) {
          const status = await tried();
          answers.set(status, (answers.get(status) ?? 0) + 1);
          await sleep(PROBE_EVERY_MS);
        }
        await disk.free();
        const roomAt = monotonicMs();
        while ((await tried()) !== 202 && monotonicMs() - roomAt < 60_000) await sleep(PROBE_EVERY_MS);
        seconds = Math.max(seconds, (monotonicMs() - roomAt) / 1_000);
        await sleep(3_000);
      }
      await Promise.all([load.stop(), texts.stop()]);
      lab.say(
        `answers while the disk was full: ${[...answers].map(([status, count]) => `${count} × ${status ?? "none"}`).join(", ")}`,
      );
      const figures = await judge(lab, process, load.placed);
      const inbound = await allThere(process, tenant, texts.taken, monotonicMs());
      const others = [...answers].filter(([status]) => status !== 202 && status !== 503);
      return {
        figures: { ...figures, lost: figures.lost + inbound.lost, doubled: figures.doubled + inbound.doubled },
        bounds: [
          none("accepted and lost", figures.lost),
          none("sent twice", figures.doubled),
          none("inversions", figures.inversions),
          none("unknown", figures.unknownReached + figures.unknownUnsent),
          none("callbacks answered 200 whose message does not exist", inbound.lost),
          none("inbound messages that exist twice", inbound.doubled),
          none(
            "answers other than 202 and 503",
            others.reduce((sum, [, count]) => sum + count, 0),
          ),
          atLeast("requests refused with 503, so that it was full", answers.get(503) ?? 0, 10),
          atMost("until a message was accepted again", seconds, BACK_WITHIN_S, "s"),
        ],
      };

      async function tried(): Promise<number | null> {
        const to = strangers(1)[0] as string;
        const order = { to, from: tenant!.numbers[0] as string, key: null, mark: `probe-${to}` };
        const { reply } = await post(process, tenant!, order, AbortSignal.timeout(ANSWER_WITHIN_MS));
        return reply?.status ?? null;
      }
    } finally {
      await disk.close();
    }
  },
};
