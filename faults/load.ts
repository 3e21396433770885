import { setTimeout as sleep } from "node:timers/promises";
import { monotonicMs } from "../bench/monotonic.ts";
import type { Tenant } from "../bench/tenants.ts";
import { post, strangers } from "../tests/process/posting.ts";
import type { Lab, Process } from "./lab.ts";
import { steadily } from "./rate.ts";

/** A message to send. Those to one person are posted one after the other, each after the answer to the one before. */
export type Placed = {
  mark: string;
  tenant: Tenant;
  from: string;
  to: string;
  /** Monotonic milliseconds of the machine: of the first try, and of the 202. */
  postedAt: number;
  answeredAt: number | null;
};

export type LoadPlan = {
  tenants: readonly Tenant[];
  perSecond: number;
  /** Messages to one person, posted as fast as they are answered. */
  perPerson?: number;
  /** No more than these in all; `stop` then waits for them. */
  most?: number;
  /** Where to post; each try takes one of them. */
  through: () => readonly Process[];
};

export type Load = {
  placed: Placed[];
  /** Stops posting and waits until each has its 202, or no process has answered for long. */
  stop(): Promise<void>;
};

/** More under way are not begun: a gateway that does not answer must not drown this process. */
const MOST_AT_ONCE = 250;
/** A client's patience with one request. */
const ANSWER_WITHIN_MS = 20_000;
/** Between the tries of one message, each with its key. */
const AGAIN_AFTER_MS = [100, 300] as const;
const GIVE_UP_AFTER_MS = 90_000;

type Person = { to: string; tenant: Tenant; from: string; left: number };

let loads = 0;

/** So many messages a second whatever the answers take, each with a key under which it is posted until it is answered 202. */
export function startLoad(lab: Lab, { tenants, perSecond, perPerson = 1, most, through }: LoadPlan): Load {
  const load = (loads += 1);
  const placed: Placed[] = [];
  const idle: Person[] = [];
  const stranger = (): Person => {
    const tenant = tenants[placed.length % tenants.length] as Tenant;
    return { to: strangers(1)[0] as string, tenant, from: lab.random.pick(tenant.numbers), left: perPerson };
  };

  async function place(person: Person): Promise<void> {
    const { tenant, from, to } = person;
    const order: Placed = {
      mark: `m${load}-${placed.length}`,
      tenant,
      from,
      to,
      postedAt: monotonicMs(),
      answeredAt: null,
    };
    placed.push(order);
    if (await answered(lab, order, through)) order.answeredAt = monotonicMs();
    person.left -= 1;
    if (person.left > 0) idle.push(person);
  }

  const rate = steadily(perSecond, () => place(idle.pop() ?? stranger()), {
    atOnce: MOST_AT_ONCE,
    ...(most === undefined ? {} : { most }),
  });
  return { placed, stop: rate.stop };
}

/** True when it was answered 202 in the end; throws for an answer that no repetition mends. */
async function answered(lab: Lab, { mark, tenant, from, to }: Placed, through: LoadPlan["through"]): Promise<boolean> {
  const until = monotonicMs() + GIVE_UP_AFTER_MS;
  while (monotonicMs() < until) {
    const processes = through();
    if (processes.length > 0) {
      const order = { to, from, key: mark, mark };
      const { reply } = await post(lab.random.pick(processes), tenant, order, AbortSignal.timeout(ANSWER_WITHIN_MS));
      if (reply?.status === 202) return true;
      if (reply !== null && reply.status < 500 && reply.status !== 429)
        throw new Error(`a message was refused: ${reply.status} ${reply.text}`);
    }
    await sleep(lab.random.between(...AGAIN_AFTER_MS));
  }
  return false;
}
