import type { SentEntry } from "@waypost/simulator";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { sized } from "../../packages/server/src/testing/size.ts";
import { type Deployment, startDeployment, type Worker, type Workspace } from "./deployment.ts";
import { ageAttempts, statementsEnded } from "./killed.ts";
import { messagesOf, strangers } from "./posting.ts";

const SENDS = sized(1_500, 4_000);
const A_BATCH = 500;
const NUMBERS = sized(3, 5);
/** From the first batch until they are due: by then all are accepted, also on a machine that has ten times as much to do. */
const AHEAD_MS = sized(15_000, 45_000);
/**
 * A message is overtaken by what its number has in flight besides. Half of those of a number stay within this of their place, where a random
 * order puts them 146 places off, and 230 of the full size.
 */
const USUALLY_WITHIN = 32;
/** Of the 500 in flight in a process, one workspace has four fifths. */
const MOST_IN_FLIGHT = 400;
/** 80 a second of each number, the lease of a killed process, and a busy machine. Lost attempts are made older. */
const SENT_WITHIN_MS = sized(90_000, 300_000);

let deployment: Deployment;
let first: Worker;
let workspace: Workspace;
beforeAll(async () => {
  deployment = await startDeployment();
  first = await deployment.serve();
  workspace = await deployment.connect(first, NUMBERS);
});
afterAll(() => deployment.stop());

/** A message that was accepted. */
type Accepted = { id: string; to: string; from: string; sequence: number; status: string };

test(`${SENDS} messages scheduled to one moment are sent in their order, each once, although the process is killed in the midst`, {
  timeout: SENT_WITHIN_MS + AHEAD_MS + 60_000,
}, async () => {
  const due = Date.now() + AHEAD_MS;
  const all: Accepted[] = [];
  for (let done = 0; done < SENDS; done += A_BATCH) all.push(...(await scheduleBatch(new Date(due).toISOString())));
  expect(new Set(all.map(({ status }) => status))).toEqual(new Set(["scheduled"]));

  await deployment.provider.whenSent(SENDS / 4);
  expect(Date.now()).toBeGreaterThanOrEqual(due);
  await first.end("SIGKILL");
  await statementsEnded(deployment);
  await ageAttempts(deployment, workspace, first);
  const second = await deployment.serve();
  await vi.waitFor(async () => expect(await waitingRows()).toBe(0), { timeout: SENT_WITHIN_MS, interval: 250 });

  const arrived = deployment.provider.sent({ accepted: true, limit: 100_000 }).data.map(idOfOpaque);
  expect(arrived).toHaveLength(new Set(arrived).size);
  const statuses = new Map<string, string>();
  for await (const { id, status } of messagesOf(second, workspace)) statuses.set(id, status);
  expect(statuses.size).toBe(SENDS);
  const reached = new Set(arrived);
  // What was under way at the kill may have arrived or not.
  expect(all.filter(({ id }) => !reached.has(id) && statuses.get(id) !== "unknown")).toEqual([]);
  // Of one that the provider refused for the rate the next request comes seconds later: the order is that of the first ones.
  const requested = new Set(deployment.provider.sent({ limit: 100_000 }).data.map(idOfOpaque));
  for (const { phone } of workspace.numbers)
    expectInOrder(
      all.filter(({ from }) => from === phone),
      [...requested],
    );
});

async function scheduleBatch(send_at: string): Promise<Accepted[]> {
  const messages = strangers(A_BATCH).map((to, index) => ({
    to,
    from: workspace.numbers[index % NUMBERS]!.phone,
    send_at,
    type: "template",
    template: { name: "order_ready", language: { code: "en_US" } },
  }));
  const reply = await first.call(workspace.key, "POST", "/v1/messages/batch", { body: { messages } });
  expect(reply.status).toBe(202);
  return (reply.body["data"] as { message: Accepted }[]).map(({ message }) => message);
}

/** Messages of one number are sent in the order in which they were accepted. */
function expectInOrder(accepted: readonly Accepted[], requested: readonly string[]): void {
  const mine = new Set(accepted.map(({ id }) => id));
  const place = new Map(requested.filter((id) => mine.has(id)).map((id, index) => [id, index]));
  const inOrder = accepted.filter(({ id }) => place.has(id)).toSorted((a, b) => a.sequence - b.sequence);
  const distances = inOrder.map(({ id }, index) => Math.abs(index - place.get(id)!)).toSorted((a, b) => a - b);
  expect(distances[Math.floor(distances.length / 2)]).toBeLessThanOrEqual(USUALLY_WITHIN);
  expect(distances.at(-1)).toBeLessThanOrEqual(MOST_IN_FLIGHT);
}

/** Rows still to be sent or settled. */
const waitingRows = async (): Promise<number> =>
  (await deployment.rows(workspace, "select from dispatch where state in (0, 1)")).length;

const idOfOpaque = ({ opaque }: SentEntry): string => /msg_[0-9a-z]{26}/.exec(opaque ?? "")?.[0] ?? "";
