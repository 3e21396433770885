import { setTimeout as sleep } from "node:timers/promises";
import { quantile } from "../bench/figures.ts";
import { fillContacts } from "../bench/filled-contacts.ts";
import type { Tenant } from "../bench/tenants.ts";
import { callAs } from "../packages/server/src/testing/call.ts";
import { atMost, type Experiment, none } from "./experiment.ts";
import { acceptDelays, answeredOf, delaysLine, stretch } from "./ledger.ts";
import { startLoad } from "./load.ts";

const CONTACTS = 100_000;
/** At once, each again as soon as it is answered. */
const SEARCHERS = 40;
const OTHERS_PER_SECOND = 50;
/** In every text of the contacts, none, or few: nothing is found early, and no index helps. */
const TEXTS = Array.from({ length: 90 }, (_, n) => `zq${n}`);
const FILTER = { any: TEXTS.map((value) => ({ field: "name", op: "contains", value })) };

export const searches: Experiment = {
  promise: "a workspace that searches as dearly and as often as it can slows no other's sends",
  async run(lab) {
    const tenants = await lab.furnish(2, 1);
    const { url } = await lab.serve();
    await fillContacts(lab.server.adminUrl, lab.short ? 10_000 : CONTACTS);
    const { busy, quiet } = await sorted(url, tenants);
    const load = startLoad(lab, { tenants: [quiet], perSecond: OTHERS_PER_SECOND, through: lab.running });
    await sleep(3_000); // until connections and code are warm
    const calm = await stretch(lab.short ? 2_000 : 15_000);
    const stop = new AbortController();
    const answers = new Map<string, number>();
    const searching = searchFor(callAs(url, busy.key), answers, stop.signal);
    await sleep(1_000);
    const during = await stretch(lab.short ? 3_000 : 20_000);
    stop.abort();
    await searching;
    await load.stop();
    const [before, beside] = [acceptDelays(load.placed, calm), acceptDelays(load.placed, during)];
    lab.say(`accepts before: ${delaysLine(before)}`);
    lab.say(`beside ${SEARCHERS} searches: ${delaysLine(beside)}`);
    lab.say(`answers to searches: ${[...answers].map(([status, count]) => `${count} x ${status}`).join(", ")}`);
    const odd = [...answers].filter(([status]) => !["200", "201", "409", "429", "503"].includes(status));
    return {
      figures: { accepted: answeredOf(load.placed).length },
      bounds: [
        none("the others' posts that were not accepted", load.placed.length - answeredOf(load.placed).length),
        none(
          "searches that were neither answered nor asked to wait",
          odd.reduce((sum, [, count]) => sum + count, 0),
        ),
        ...(lab.short
          ? []
          : [
              atMost(
                "the others' p99 of accepts, of the one before",
                quantile(beside, 0.99) / quantile(before, 0.99),
                2,
              ),
            ]),
      ],
    };
  },
};

/** Which of the two has the contacts. */
async function sorted(url: string, [a, b]: readonly Tenant[]): Promise<{ busy: Tenant; quiet: Tenant }> {
  if (!a || !b) throw new Error("no workspaces");
  const { body } = await callAs(url, a.key)("GET", "/v1/contacts?limit=1");
  return body.data.length > 0 ? { busy: a, quiet: b } : { busy: b, quiet: a };
}

/** Members of a segment, new segments, and searches for a text, in turn. */
async function searchFor(
  call: ReturnType<typeof callAs>,
  answers: Map<string, number>,
  stop: AbortSignal,
): Promise<void> {
  const { body } = await call("POST", "/v1/segments", { body: { name: "dear", filter: FILTER } });
  const one = async (n: number): Promise<void> => {
    for (let turn = n; !stop.aborted; turn += 1) {
      const { status } =
        turn % 3 === 0
          ? await call("POST", "/v1/segments", { body: { name: `dear ${n}.${turn}`, filter: FILTER } })
          : turn % 3 === 1
            ? await call("GET", `/v1/segments/${body.id}/contacts`)
            : await call("GET", "/v1/contacts?q=zqzq");
      answers.set(String(status), (answers.get(String(status)) ?? 0) + 1);
    }
  };
  await Promise.all(Array.from({ length: SEARCHERS }, (_, n) => one(n)));
}
