import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { withClient } from "../../../testing/client.ts";
import { type Gateway, startGateway } from "../../../testing/gateway.ts";

// Longer than a call waits to find out whether its commit happened: the database is away meanwhile.
const DATABASE_AWAY_MS = 13_000;

/** Each case for itself: they wait beside each other. */
async function open(leaseSeconds: number) {
  const gateway = await startGateway({ WAYPOST_LEASE_SECONDS: String(leaseSeconds) });
  return { gateway, mine: await gateway.sender() };
}

/** As when another process took them over and has given them back. */
const loseLanes = (gateway: Gateway): Promise<unknown> =>
  withClient(gateway.database.url, (client) => client.query("update slot set owner = null, epoch = epoch + 1"));

describe.concurrent("an attempt that may or may not have begun", () => {
  it.for([
    ["a lease that holds", 60, false],
    ["a lease that lapses meanwhile", 3, false],
    ["a lease that holds, while its lane is lost", 60, true],
  ] as const)(
    "keeps its recipient under %s: no message becomes unknown, none overtakes",
    { timeout: 90_000 },
    async ([, lease, loses], { onTestFinished }) => {
      const { gateway, mine } = await open(lease);
      onTestFinished(() => gateway.stop());
      const to = "+15552009001";
      const caught = gateway.databaseProxy.hold("begin_sends", "answer");
      const first = await mine.send(to);
      const call = await caught;
      // It was committed and its answer is lost; the person's second message waits behind it.
      const second = await mine.send(to);
      gateway.databaseProxy.cut();
      call.cut();
      if (loses) await loseLanes(gateway);
      await sleep(DATABASE_AWAY_MS);
      gateway.databaseProxy.mend();
      for (const { body } of [first, second]) await mine.becomes(body.id, "accepted");
      const sent = gateway.simulator.sent({ to }).data;
      expect(sent.map(({ opaque }) => opaque?.split(".")[1])).toEqual([first.body.id, second.body.id]);
      const kinds = await mine.rows<{ kind: string }>(
        "select kind from event where message_id is not null order by sequence",
      );
      expect(kinds.map(({ kind }) => kind)).not.toContain("unknown");
    },
  );

  it("is ready again when its lane was lost before its commit was found", { timeout: 90_000 }, async ({
    onTestFinished,
  }) => {
    const { gateway, mine } = await open(60);
    onTestFinished(() => gateway.stop());
    const caught = gateway.databaseProxy.hold("begin_sends", "answer");
    const { body } = await mine.send("+15552009002");
    const call = await caught;
    await loseLanes(gateway);
    // The way to the database is open: the commit is found at once, and the call that is to have its answer comes too late.
    call.cut();
    await mine.becomes(body.id, "accepted");
    const events = "select kind from event where message_id is not null order by sequence";
    expect((await mine.rows<{ kind: string }>(events)).map(({ kind }) => kind)).not.toContain("unknown");
  });
});
