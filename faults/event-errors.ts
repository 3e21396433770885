import { setTimeout as sleep } from "node:timers/promises";
import { monotonicMs } from "../bench/monotonic.ts";
import type { Tenant } from "../bench/tenants.ts";
import { messagesOf } from "../tests/process/posting.ts";
import { startTexts, type Taken } from "./callbacks.ts";
import { atMost, type Experiment, none } from "./experiment.ts";
import type { Lab, Process } from "./lab.ts";

const TROUBLE_MS = 180_000;
const THERE_WITHIN_S = 60;

type Trouble = { words: string; begin: string; end: string };

const TROUBLES: readonly Trouble[] = [
  {
    words: "a constraint that nothing fits",
    begin: "alter table event add constraint trouble check (kind <> 'messages') not valid",
    end: "alter table event drop constraint trouble",
  },
  {
    words: "a full disk (53100)",
    begin: `create function trouble() returns trigger language plpgsql as $$
      begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
      create trigger trouble before insert on event for each row execute function trouble()`,
    end: "drop trigger trouble on event; drop function trouble()",
  },
];

export const eventErrors: Experiment = {
  promise: "three minutes of errors on the table of events lose no callback that was answered 200",
  async run(lab) {
    const [tenant] = await lab.furnish(1, 4);
    if (!tenant) throw new Error("no workspace");
    const process = await lab.serve();
    const rounds: ({ trouble: Trouble } & Awaited<ReturnType<typeof through>>)[] = [];
    for (const trouble of TROUBLES) rounds.push({ trouble, ...(await through(lab, process, tenant, trouble)) });
    const sum = (of: (round: (typeof rounds)[number]) => number): number =>
      rounds.reduce((total, round) => total + of(round), 0);
    return {
      figures: {
        accepted: sum(({ taken }) => taken),
        lost: sum(({ lost }) => lost),
        doubled: sum(({ doubled }) => doubled),
      },
      bounds: rounds.flatMap(({ trouble: { words }, lost, doubled, seconds }) => [
        none(`${words}: callbacks answered 200 whose message does not exist`, lost),
        none(`${words}: messages that exist twice`, doubled),
        atMost(`${words}: until all existed`, seconds, THERE_WITHIN_S, "s"),
      ]),
    };
  },
};

async function through(lab: Lab, process: Process, tenant: Tenant, trouble: Trouble) {
  const texts = startTexts(() => process.url, tenant.providerNumbers, 5);
  await sleep(2_000);
  await lab.query(trouble.begin);
  await sleep(lab.short ? 3_000 : TROUBLE_MS);
  await lab.query(trouble.end);
  const mended = monotonicMs();
  await texts.stop();
  lab.say(`${trouble.words}: ${texts.taken.length} of ${texts.posted()} callbacks were answered 200`);
  return { taken: texts.taken.length, ...(await allThere(process, tenant, texts.taken, mended)) };
}

/** Waits a minute at the most until the messages of all callbacks exist: those that do not then, and those that exist twice. */
export async function allThere(process: Process, tenant: Tenant, taken: readonly Taken[], since: number) {
  for (;;) {
    const { lost, doubled } = await missing(process, tenant, taken);
    const seconds = (monotonicMs() - since) / 1_000;
    if (lost === 0 || seconds > THERE_WITHIN_S) return { lost, doubled, seconds };
    await sleep(500);
  }
}

async function missing(process: Process, tenant: Tenant, taken: readonly Taken[]) {
  const times = new Map<string, number>();
  for await (const { text } of messagesOf(process, tenant, "&direction=inbound"))
    times.set(text?.body ?? "", (times.get(text?.body ?? "") ?? 0) + 1);
  return {
    lost: taken.filter(({ mark }) => !times.has(mark)).length,
    doubled: [...times.values()].filter((count) => count > 1).length,
  };
}
