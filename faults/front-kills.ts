import { setTimeout as sleep } from "node:timers/promises";
import { callbackBody, statusOf } from "../bench/callback.ts";
import { monotonicMs } from "../bench/monotonic.ts";
import type { Tenant } from "../bench/tenants.ts";
import { inParallel, strangers } from "../tests/process/posting.ts";
import { postCallback } from "./callbacks.ts";
import { atLeast, type Experiment, none } from "./experiment.ts";
import { ageAttempts } from "./kills.ts";
import type { Lab, Process } from "./lab.ts";
import { judge } from "./ledger.ts";
import type { Placed } from "./load.ts";
import type { Delivered, Sent } from "./outside.ts";

/** So that some answers have the provider's id, and some one of the gateway's. Short leases: the next kill finds lanes with owners. */
const ENV = { FRONT_WAIT: "0.5", WAYPOST_LEASE_SECONDS: "4" };
const ANSWER_MS: [number, number] = [100, 900];
/** Of a round; the first of them is also sent by a twin, through any process. */
const AT_ONCE = 8;
/** After a commit was seen: before the send, within it, after its outcome, and around the decision of the id. */
const KILL_AFTER_MS = [0, 450] as const;

const AGAIN_AFTER_MS = [50, 300] as const;
const ANSWER_WITHIN_MS = 20_000;
const GIVE_UP_AFTER_MS = 90_000;
const WIDTH = 16;
const RECEIVER = "front";

/** A message by the provider's API, and what was answered to all requests for it. */
type Order = Placed & { number: string; key: string; ids: Set<string>; answers: Set<string> };

export const frontKills: Experiment = {
  promise:
    "kill -9 between commit and answer of the Cloud API front: the repeated request gets the id that callbacks have, and sends nothing twice",
  async run(lab) {
    const kills = lab.short ? 10 : 200;
    await lab.outside.behave({ answerMs: ANSWER_MS, cutShare: 0.05 });
    const tenants = await lab.furnish(2, 4);
    const first = await lab.serve(ENV);
    await lab.serve(ENV);
    for (const tenant of tenants) await reportTo(first, tenant, lab.outside.receiverUrl(RECEIVER));
    const orders: Order[] = [];
    let hits = 0;
    for (let round = 0; hits < kills && round < kills * 2; round += 1) {
      const some = ordersOf(lab, tenants, orders.length);
      orders.push(...some);
      if (await killUnder(lab, some)) hits += 1;
    }
    const judged = await judge(lab, lab.random.pick(lab.running()), orders);
    await inParallel(orders, WIDTH, (order) => untilAnswered(lab, order, lab.random.pick(lab.running())));
    const sends = await lab.outside.sends();
    await report(lab, "delivered", sends);
    const deliveries = await deliveredOf(lab, sends);
    const named = new Map(orders.map((order) => [order.mark, order]));
    const reported = new Set(deliveries.flatMap(({ kind, mark }) => (kind === "delivered" ? [mark] : [])));
    const wamids = new Set(sends.map(({ id }) => id));
    const minted = orders.filter(({ ids }) => [...ids].some((id) => !wamids.has(id))).length;
    lab.say(
      `${hits} kills between commit and answer, ${minted} of ${orders.length} messages with an id of the gateway's`,
    );
    return {
      figures: judged,
      bounds: [
        none("lost", judged.lost),
        none("sent twice", judged.doubled),
        none("without an answer in the end", orders.filter(({ answeredAt }) => answeredAt === null).length),
        none("named by two ids, or in two answers", orders.filter(({ answers }) => answers.size > 1).length),
        none(
          "callbacks with another id than was answered",
          deliveries.filter(({ id, mark }) => id === undefined || !named.get(mark)?.ids.has(id)).length,
        ),
        none("sent messages without a callback", sends.filter(({ mark }) => !reported.has(mark)).length),
        atLeast("kills between commit and answer", hits, kills),
      ],
    };
  },
};

/** Sends the orders through one process and kills it while one that is committed has no answer; true when that was so. */
async function killUnder(lab: Lab, orders: readonly Order[]): Promise<boolean> {
  const victim = lab.random.pick(lab.running());
  const { sends: before } = await lab.outside.counts();
  const clients = orders.map((order) => untilAnswered(lab, order, victim));
  const [twice] = orders;
  if (twice) clients.push(untilAnswered(lab, twice, lab.random.pick(lab.running())));
  const answered = Promise.all(clients);
  // What a client throws is thrown below; until then it is no rejection that nothing waits for.
  answered.catch(() => {});
  const stored = await someStored(lab, orders);
  await sleep(lab.random.between(...KILL_AFTER_MS));
  const ended = victim.end("SIGKILL");
  const hit = orders.some(({ mark, answeredAt }) => answeredAt === null && stored.has(mark));
  await ended;
  if (lab.short) await ageAttempts(lab, victim.name);
  const next = lab.serve(ENV);
  // Half of the rounds the provider's report comes first, and it names the message.
  if (lab.random.next() < 0.5) await report(lab, "sent", await lab.outside.sends(before));
  await Promise.all([answered, next]);
  return hit;
}

/** Marks of those that are committed, once there are some. */
async function someStored(lab: Lab, orders: readonly Order[]): Promise<Set<string>> {
  const marks = orders.map(({ mark }) => mark);
  const until = monotonicMs() + GIVE_UP_AFTER_MS;
  while (monotonicMs() < until) {
    const rows = await lab.query<{ reference: string }>("select reference from message where reference = any($1)", [
      marks,
    ]);
    if (rows.length > 0) return new Set(rows.map(({ reference }) => reference));
  }
  throw new Error("no message was stored");
}

/** Workspaces take turns, and each two orders of theirs have the same key: keys are a workspace's own. */
const ordersOf = (lab: Lab, tenants: readonly Tenant[], from: number): Order[] =>
  strangers(AT_ONCE).map((to, index) => {
    const n = from + index;
    const tenant = tenants[n % tenants.length] as Tenant;
    const place = lab.random.between(0, tenant.numbers.length - 1);
    return {
      mark: `front-${n}`,
      key: `front-${Math.floor(n / tenants.length)}`,
      tenant,
      from: tenant.numbers[place] as string,
      number: tenant.providerNumbers[place] as string,
      to,
      postedAt: monotonicMs(),
      answeredAt: null,
      ids: new Set<string>(),
      answers: new Set<string>(),
    };
  });

/** As a client does that repeats with its key what got no answer, or was refused for now. */
async function untilAnswered(lab: Lab, order: Order, first: Process): Promise<void> {
  const until = monotonicMs() + GIVE_UP_AFTER_MS;
  for (let through = first; monotonicMs() < until; through = lab.random.pick(lab.running())) {
    const reply = await post(through, order);
    if (reply?.status === 200) {
      order.answeredAt ??= monotonicMs();
      order.answers.add(reply.text);
      order.ids.add(String(reply.body.messages[0].id));
      return;
    }
    if (reply !== null && ![409, 429, 503].includes(reply.status))
      throw new Error(`a message was refused: ${reply.status} ${reply.text}`);
    await sleep(lab.random.between(...AGAIN_AFTER_MS));
  }
}

const post = (through: Process, { tenant, number, key, mark, to }: Order) =>
  through
    .call(tenant.key, "POST", `/v23.0/${number}/messages`, {
      key,
      body: {
        messaging_product: "whatsapp",
        to: to.slice(1),
        type: "template",
        template: {
          name: "order_ready",
          language: { code: "en_US" },
          components: [{ type: "body", parameters: [{ type: "text", text: mark }] }],
        },
        biz_opaque_callback_data: mark,
      },
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    })
    .catch(() => null);

/** An endpoint in the provider's format. */
async function reportTo(process: Process, { key }: Tenant, url: string): Promise<void> {
  const body = { url, format: "provider", fields: ["messages"], secret: "the-secret-of-the-receiver" };
  const { status, text } = await process.call(key, "POST", "/v1/webhook-endpoints", { body });
  if (status !== 201) throw new Error(`the endpoint was refused: ${text}`);
}

/** The provider's report on each of these, posted until it is answered 200. */
async function report(lab: Lab, status: string, sends: readonly Sent[]): Promise<void> {
  await inParallel(sends, WIDTH, async ({ number, id, to, opaque }) => {
    const body = callbackBody(number, { statuses: [statusOf(id, status, to, opaque)] });
    const until = monotonicMs() + GIVE_UP_AFTER_MS;
    while ((await postCallback(lab.random.pick(lab.running()).url, body)) !== 200) {
      if (monotonicMs() > until) throw new Error("a callback was never answered 200");
      await sleep(lab.random.between(...AGAIN_AFTER_MS));
    }
  });
}

/** What the receiver got, once it has got the last report on each of these, or has had its time. */
async function deliveredOf(lab: Lab, sends: readonly Sent[]): Promise<Delivered[]> {
  const until = monotonicMs() + GIVE_UP_AFTER_MS;
  for (;;) {
    const deliveries = (await lab.outside.deliveries()).filter(({ receiver }) => receiver === RECEIVER);
    const there = new Set(deliveries.flatMap(({ kind, mark }) => (kind === "delivered" ? [mark] : [])));
    if (sends.every(({ mark }) => there.has(mark)) || monotonicMs() > until) return deliveries;
    await sleep(500);
  }
}
