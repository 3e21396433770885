// `npm run differential -- --against <commit> [--requests N] [--seed N]`: sends the same generated and hostile requests to another
// version and to this one, one after the other, and lists where the answers differ. Exit code 1 when they do.
import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { endChildren, THIS_BUILD } from "../../bench/children.ts";
import { openPlace } from "../../bench/place.ts";
import { worktreeOf } from "../../bench/worktree.ts";
import { randomOf } from "../../faults/random.ts";
import { type Answer, masked } from "./mask.ts";
import { type Asked, type Document, Requests } from "./requests.ts";
import { answerOf, openSide, type Side } from "./side.ts";

const { values } = parseArgs({
  options: {
    against: { type: "string", default: "HEAD~1" },
    requests: { type: "string", default: "2500" },
    seed: { type: "string", default: String(randomInt(1e6)) },
  },
});
const seed = Number(values.seed);
const amount = Number(values.requests);

const codeOf = ({ body }: Answer): string => /"code":"(\w+)"/.exec(body)?.[1] ?? "";
const AGAIN_AFTER_MS = 1_100;
const MOST_AGAIN = 5;
/** Of two answers that differ: letters before the first difference, and in all. */
const BEFORE_IT = 100;
const MOST_SHOWN = 400;

const worktree = await worktreeOf(values.against);
const place = await openPlace();
const sides: Side[] = [];
try {
  const before = await worktree.build();
  console.log(`${amount} requests to ${worktree.commit} and to this version, seed ${seed}`);
  for (const build of [before, THIS_BUILD]) sides.push(await openSide(place, build));
  process.exitCode = report(await compared(sides[0] as Side, sides[1] as Side));
} finally {
  for (const side of sides) await side.stop();
  await endChildren(); // of a side that did not come up
  await place.stop();
  await worktree.remove();
}

type Difference = { asked: Asked; before: Answer; now: Answer };
type Compared = { statuses: Map<number, number>; differences: Difference[] };

async function compared(before: Side, now: Side): Promise<Compared> {
  const document = (await (await fetch(`${before.url}/openapi.json`)).json()) as Document;
  const requests = new Requests(randomOf(seed), document, amount);
  const result: Compared = { statuses: new Map(), differences: [] };
  for (let index = 0; index < amount; index += 1) {
    const asked = requests.next(index, (prefix) => before.mask.ids(prefix).length);
    const [first, second] = await answers(before, now, asked);
    result.statuses.set(first.status, (result.statuses.get(first.status) ?? 0) + 1);
    if (!same([first, second])) result.differences.push({ asked, before: first, now: second });
  }
  return result;
}

/** One side after the other. What a read returns may be written a while after it happened: where it differs it is asked again. */
async function answers(before: Side, now: Side, asked: Asked): Promise<[Answer, Answer]> {
  for (let again = 0; ; again += 1) {
    const both: [Answer, Answer] = [await settledAnswer(before, asked), await settledAnswer(now, asked)];
    if (asked.method !== "GET" || again === MOST_AGAIN || same(both)) return both;
    await sleep(AGAIN_AFTER_MS);
  }
}

function same([before, now]: [Answer, Answer]): boolean {
  return JSON.stringify(before) === JSON.stringify(now);
}

/** The answer as it is compared, once what it set going is done: the provider has a message, and the gateway knows. */
async function settledAnswer(side: Side, asked: Asked): Promise<Answer> {
  const answer = masked(side.mask, await answerOf(side, asked));
  if (answer.status === 202 || answer.status === 201) await side.settled();
  return answer;
}

function report({ statuses, differences }: Compared): number {
  const counts = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${count} × ${status}`);
  console.log(`answers: ${counts.join(", ")}`);
  const kinds = groups(differences);
  for (const [kind, of] of kinds) {
    const { asked, before, now } = of[0] as Difference;
    console.log(
      `\n${of.length} × ${kind}\n  asked by ${asked.caller}: ${asked.method} ${asked.path} ${JSON.stringify(asked.headers)} ${asked.body ?? ""}`,
    );
    const [was, is] = [JSON.stringify(before), JSON.stringify(now)];
    let from = 0;
    while (was[from] === is[from]) from += 1;
    from = Math.max(0, from - BEFORE_IT);
    console.log(`  before … ${was.slice(from, from + MOST_SHOWN)}\n  now    … ${is.slice(from, from + MOST_SHOWN)}`);
  }
  console.log(`\n${differences.length} of ${amount} answers differ, in ${kinds.size} kinds`);
  return differences.length === 0 ? 0 : 1;
}

function groups(differences: readonly Difference[]): Map<string, Difference[]> {
  const kinds = new Map<string, Difference[]>();
  for (const difference of differences) {
    const { asked, before, now } = difference;
    const kind = `${asked.operation}: ${before.status} ${codeOf(before)} → ${now.status} ${codeOf(now)}`;
    kinds.set(kind, [...(kinds.get(kind) ?? []), difference]);
  }
  return kinds;
}
