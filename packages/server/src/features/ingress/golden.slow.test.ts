import { afterAll, beforeAll, expect, it } from "vitest";
import { goldenNames, SET_ASIDE } from "../../provider/whatsapp/testing/golden.ts";
import { postCallback } from "../../testing/callback.ts";
import { type Gateway, type Sender, startGateway } from "../../testing/gateway.ts";
import { EVENTS_OF } from "./testing/events-of-golden.ts";
import { goldenText, OWN_MESSAGES } from "./testing/golden-texts.ts";

let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

/** Nothing waits: neither callbacks, nor what is asked of the provider because of them, whose rows only the workspace sees. */
async function quiet(mine: Sender): Promise<void> {
  const waiting = async () => [
    ...(await gateway.app.db.sql.query("select 1 from ingest")),
    ...(await mine.rows("select 1 from task where due <= $1", [new Date(gateway.clock.now())])),
  ];
  await expect.poll(waiting, { interval: 10 }).toEqual([]);
}

type EventRow = { kind: string; state: Record<string, unknown> | null };

/** What an event says, in a line. */
function lineOf({ kind, state }: EventRow): string {
  const { provider_event, previous, current, reason } = state ?? {};
  const said = [provider_event, previous, current, kind === "contact_created" ? undefined : reason];
  return [kind, ...said.filter((one) => typeof one === "string")].join(" ");
}

async function eventsAfter(name: string, mine: Sender): Promise<string[]> {
  const own = await Promise.all(
    Array.from({ length: OWN_MESSAGES }, async (_, n): Promise<string> => {
      const { id } = (await mine.send(`+1555000111${n + 1}`)).body;
      return (await mine.becomes(id, "accepted")).provider_message_id;
    }),
  );
  await quiet(mine);
  const [last] = await mine.rows<{ sequence: string }>("select max(sequence)::text as sequence from event");
  expect((await postCallback(gateway, goldenText(name, mine.account, own))).status).toBe(200);
  await quiet(mine);
  // Whether a file could be fetched is told later.
  const rows = await mine.rows<EventRow>(
    "select kind, state from event where sequence > $1 and kind not in ('media_available', 'media_failed') order by sequence",
    [last?.sequence ?? 0],
  );
  return rows.map(lineOf).toSorted();
}

it("knows the events of each golden callback", () => {
  expect([...EVENTS_OF.keys()].toSorted()).toEqual(goldenNames("callback-").toSorted());
});

it.each(goldenNames("callback-"))(
  "%s gives the events that are documented for it, and nothing else is set aside",
  async (name) => {
    const mine = await gateway.sender();
    const events = await eventsAfter(name, mine);
    const { providerPhoneNumberId, wabaId } = mine.account;
    const aside = await gateway.app.db.sql.query<{ reason: string }>(
      "select reason from quarantine where provider_phone_number_id = $1 or provider_account_id = $2",
      [providerPhoneNumberId, wabaId],
    );
    expect(events).toEqual(EVENTS_OF.get(name));
    expect(aside.map(({ reason }) => reason).toSorted()).toEqual((SET_ASIDE.get(name) ?? []).toSorted());
  },
);
