import { expect, it } from "vitest";
import type { Sender } from "../../../testing/gateway.ts";
import { addProviderAccount } from "../../../testing/provider-account.ts";
import { connectAccount } from "../../../testing/workspace.ts";
import { startSenders } from "../../messages/testing/senders.ts";
import { MOST_ACTIVE } from "./schema.ts";

const { gateway, mine, theirs } = await startSenders({ API_RATE_LIMIT: "off" });

const PATIENCE = { timeout: 40_000, interval: 20 };
/** A turn of an import lasts 5 s; beside twenty imports another task of the workspace took as long. Now it takes 70 ms. */
const PROMPT_MS = 2_500;

async function upload(rows: number): Promise<string> {
  const phones = Array.from({ length: rows }, (_, n) => `+155${50_000_000 + n}`);
  const headers = { "content-type": "text/csv" };
  const reply = await mine.call("POST", "/v1/contacts/imports", { headers, body: `phone\n${phones.join("\n")}\n` });
  expect(reply.status).toBe(202);
  return reply.body.id;
}

/** Milliseconds until the task of a connection has ended. */
async function connection(of: Sender): Promise<number> {
  const from = performance.now();
  await connectAccount(of.call, addProviderAccount(gateway.simulator));
  await expect
    .poll(() => of.rows("select from job where kind = 'account.connect' and status = 'pending'"), PATIENCE)
    .toEqual([]);
  return performance.now() - from;
}

it("twenty imports hold up no other task of the workspace, nor of another", { timeout: 120_000 }, async () => {
  const first = await upload(200_000);
  for (let others = 1; others < MOST_ACTIVE; others++) await upload(1);
  const looked = () => mine.rows("select from job where kind = 'contacts.import' and started");
  await expect.poll(async () => (await looked()).length, PATIENCE).toBe(MOST_ACTIVE);
  const took: number[] = [];
  for (const of of [mine, theirs, mine, mine, mine]) took.push(await connection(of));
  expect(Math.max(...took)).toBeLessThan(PROMPT_MS);
  expect((await mine.call("GET", `/v1/contacts/imports/${first}`)).body.status).toBe("running");
  // One after the other, in order: none is lost in the lane.
  const ends = () => mine.rows<{ id: string }>("select id from contact_import where completed_at is not null");
  await mine.call("POST", `/v1/contacts/imports/${first}/cancel`);
  await expect.poll(async () => (await ends()).length, { ...PATIENCE, timeout: 80_000 }).toBe(MOST_ACTIVE);
  const failed = await mine.rows("select from contact_import where status = 'failed'");
  expect(failed).toEqual([]);
});
