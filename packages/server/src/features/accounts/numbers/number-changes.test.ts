import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Gateway, type Sender, startGateway } from "../../../testing/gateway.ts";
import { reconcileDue } from "../reconcile.ts";
import { numberEventData } from "../render.ts";

const PATIENCE = { timeout: 30_000, interval: 20 };
const HOUR_MS = 3_600_000;
let gateway: Gateway;
let mine: Sender;
let theirs: Sender;
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
  [mine, theirs] = [await gateway.sender(), await gateway.sender()];
});
afterAll(() => gateway.stop());

type Change = Parameters<typeof gateway.simulator.setNumber>[1];
const changes = async (of: Sender) =>
  (
    await of.rows<{ state: unknown }>("select state from event where kind = 'phone_number_changed' order by sequence")
  ).map(({ state }) => numberEventData(state));
/** Resolves when what the provider said, and the check that it asked for, are done. */
async function idle(of: Sender): Promise<void> {
  await expect.poll(() => gateway.simulator.stats().callbacks_pending, PATIENCE).toBe(0);
  await expect.poll(() => gateway.app.db.sql.query("select from ingest"), PATIENCE).toEqual([]);
  const due = new Date(gateway.clock.now());
  await expect.poll(() => of.rows("select from task where due <= $1", [due]), PATIENCE).toEqual([]);
}
const said = (field: string, value: Record<string, unknown>): void => {
  const number = { display_phone_number: mine.account.phone.replace(/\D/g, "") };
  gateway.simulator.accountEvent({ waba_id: mine.account.wabaId, field, value: { ...number, ...value } });
};

type Case = {
  what: string;
  change: Change;
  says?: [field: string, value: Record<string, unknown>];
  changed: string[];
  /** What the number then shows. */
  shows: Record<string, unknown>;
  sends: boolean;
};
const usual: Change = { throughput: 80, quality_rating: "GREEN", status: "CONNECTED", verified_name: "Shop" };
const qualityUpdate = (event: string): NonNullable<Case["says"]> => ["phone_number_quality_update", { event }];
const CASES: Case[] = [
  {
    what: "a lower quality, flagged",
    change: { quality_rating: "RED", status: "FLAGGED" },
    says: qualityUpdate("FLAGGED"),
    changed: ["quality", "status"],
    shows: { quality: "red", status: "flagged" },
    sends: true,
  },
  {
    what: "a throughput upgrade",
    change: { throughput: 1_000 },
    says: qualityUpdate("THROUGHPUT_UPGRADE"),
    changed: ["throughput"],
    shows: { throughput_per_second: 1_000 },
    sends: true,
  },
  {
    what: "the use in the WhatsApp Business app beside the API",
    change: { throughput: 20 },
    changed: ["throughput"],
    shows: { throughput_per_second: 20 },
    sends: true,
  },
  {
    what: "an approved name",
    change: { verified_name: "Another shop" },
    says: [
      "phone_number_name_update",
      { decision: "APPROVED", requested_verified_name: "Another shop", rejection_reason: "NONE" },
    ],
    changed: ["name"],
    shows: { verified_name: "Another shop" },
    sends: true,
  },
  {
    what: "a restriction",
    change: { status: "RESTRICTED" },
    says: ["account_update", { event: "ACCOUNT_RESTRICTION", restriction_info: [] }],
    changed: ["status"],
    shows: { status: "restricted" },
    sends: true,
  },
  {
    what: "a ban",
    change: { status: "BANNED" },
    says: ["account_update", { event: "DISABLED_UPDATE", ban_info: { waba_ban_state: "DISABLE" } }],
    changed: ["status"],
    shows: { status: "banned" },
    sends: false,
  },
  {
    what: "a migration",
    change: { status: "MIGRATED" },
    changed: ["status"],
    shows: { status: "migrated" },
    sends: false,
  },
];

/** The number as it was at first, and known to be. */
async function becomeUsual(): Promise<void> {
  gateway.simulator.setNumber(mine.account.providerPhoneNumberId, usual);
  gateway.clock.advance(7 * HOUR_MS);
  await reconcileDue(gateway.app);
  await idle(mine);
}

describe("a change of a number", () => {
  for (const [by, reads] of [
    ["a callback", false],
    ["the periodic check", true],
  ] as const) {
    it.each(CASES.filter(({ says }) => reads || says))(
      `by ${by}: $what is one event with what has changed, and holds for sending`,
      async ({ change, says, changed, shows, sends }) => {
        const { simulator, clock } = gateway;
        const id = mine.account.providerPhoneNumberId;
        await becomeUsual();
        const before = (await changes(mine)).length;

        simulator.setNumber(id, change);
        if (!reads && says) said(...says);
        else {
          clock.advance(7 * HOUR_MS);
          await reconcileDue(gateway.app);
        }
        await idle(mine);
        const told = (await changes(mine)).slice(before);
        expect(told.map((one) => one.changed)).toEqual([changed]);
        expect(told[0]?.phone_number).toMatchObject(shows);
        const path = `/v1/phone-numbers/${mine.phoneNumberId}`;
        expect((await mine.call("GET", path)).body).toMatchObject(shows);
        expect((await mine.send("+15551230001")).status).toBe(sends ? 202 : 422);
      },
    );
  }

  it("of the messaging limit is one event, and one of the account is none of another workspace", async () => {
    await becomeUsual();
    const before = (await changes(mine)).length;
    gateway.simulator.setMessagingLimit(mine.account.wabaId, "TIER_2K");
    await idle(mine);
    const told = (await changes(mine)).slice(before);
    expect(told.map((one) => [one.changed, one.phone_number.messaging_limit.limit])).toEqual([[["limit"], 2_000]]);
    expect(await changes(theirs)).toEqual([]);
  });
});
