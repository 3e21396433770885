import type { SentEntry } from "@waypost/simulator";
import { expect, vi } from "vitest";
import { type Deployment, startDeployment, type Worker, type Workspace } from "./deployment.ts";
import { accepted, type Order, ordersOf, type Posted, post, statusesOf } from "./posting.ts";

/** Enough numbers that each of two processes owns some. */
const NUMBERS = 20;

/** A deployment whose workspace has numbers in the slots of each of two processes. */
export class Pair {
  readonly deployment: Deployment;
  readonly workspace: Workspace;
  #running: Worker[] = [];

  private constructor(deployment: Deployment, workspace: Workspace) {
    this.deployment = deployment;
    this.workspace = workspace;
  }

  static async open(): Promise<Pair> {
    const deployment = await startDeployment();
    const first = await deployment.serve();
    const workspace = await deployment.connect(first, NUMBERS);
    await first.end("SIGTERM");
    return new Pair(deployment, workspace);
  }

  /** Starts a process that `endAll` ends. */
  async serve(env: Record<string, string> = {}): Promise<Worker> {
    const worker = await this.deployment.serve(env);
    this.#running.push(worker);
    return worker;
  }

  /** Two processes, each with half of the lanes, and a number of each. `envOfOne` are variables of the first alone. */
  async twoOwners({ leaseSeconds, envOfOne }: { leaseSeconds?: number; envOfOne?: Record<string, string> } = {}) {
    const env: Record<string, string> =
      leaseSeconds === undefined ? {} : { WAYPOST_LEASE_SECONDS: String(leaseSeconds) };
    const [one, other] = [await this.serve({ ...env, ...envOfOne }), await this.serve(env)];
    await this.deployment.shared(2);
    const owners = await this.deployment.owners();
    const numberOf = ({ worker }: Worker): string =>
      this.workspace.numbers.find(({ slot }) => owners.get(worker)!.includes(slot))!.phone;
    return { one, other, numberOfOne: numberOf(one), numberOfOther: numberOf(other) };
  }

  post(gateway: Worker, order: Order): Promise<Posted> {
    return post(gateway, this.workspace, order);
  }

  orderFrom(from: string): Order {
    return { ...ordersOf(this.workspace, 1)[0]!, from };
  }

  /** Resolves with the provider's record of a message when it arrives. */
  async arrival({ to }: Order): Promise<SentEntry> {
    const [entry] = await this.deployment.provider.whenSent(1, (sent) => sent.to?.replace("+", "") === to.slice(1));
    return entry!;
  }

  /** Posts one message after the other through `gateway` until stopped; returns the results. */
  keepPosting(gateway: Worker, from: readonly string[]) {
    const posted: Promise<Posted>[] = [];
    const timer = setInterval(() => {
      posted.push(this.post(gateway, this.orderFrom(from[posted.length % from.length]!)));
    }, 20);
    return {
      async stop(): Promise<Posted[]> {
        clearInterval(timer);
        return await Promise.all(posted);
      },
    };
  }

  async endAll(): Promise<void> {
    this.deployment.provider.clearFaults();
    await Promise.all(this.#running.splice(0).map((gateway) => gateway.end("SIGTERM")));
  }
}

/** Every message was answered 202, is accepted, and arrived once. */
export async function expectAllSentOnce(
  { deployment, workspace }: Pair,
  gateway: Worker,
  posted: readonly Posted[],
): Promise<void> {
  expect(accepted(posted)).toHaveLength(posted.length);
  await vi.waitFor(
    async () => {
      const statuses = await statusesOf(gateway, workspace);
      const open = posted.filter(({ order }) => statuses.get(order.to)?.join() !== "accepted");
      expect(open.map(({ order }) => [order, statuses.get(order.to)])).toEqual([]);
    },
    { timeout: 20_000, interval: 250 },
  );
  const requests = deployment.requests();
  const times = posted.map(({ order }) => requests.get(order.to.slice(1))?.filter((entry) => entry.accepted).length);
  expect(times).toEqual(posted.map(() => 1));
}
