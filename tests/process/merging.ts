import type { SentEntry } from "@waypost/simulator";
import { expect, vi } from "vitest";
import { callbackOf, signatureOf, statusOf } from "../../packages/server/src/testing/callback.ts";
import { withClient } from "../../packages/server/src/testing/client.ts";
import type { Deployment, Worker, Workspace } from "./deployment.ts";

/**
 * A person with two numbers that only evidence joins: a Colombian landline as it was written before and since 2021. The
 * simulator takes them for two people, so that its answers prove nothing.
 */
export type Twin = {
  forms: readonly [string, string];
  /** The provider's ids of the sending numbers, and these in E.164. */
  numbers: Workspace["numbers"];
};

let twins = 0;
export function twin(numbers: Workspace["numbers"]): Twin {
  const digits = 2_000_000 + twins++;
  return { forms: [`+571${digits}`, `+57601${digits}`], numbers };
}

/** A status of one message to the first form of each person names the second. */
export async function postEvidence(
  { provider }: Deployment,
  gateway: Worker,
  { numbers }: Workspace,
  people: readonly Twin[],
): Promise<void> {
  const { data } = provider.sent({ accepted: true, limit: 100_000 });
  const reports = people.map(({ forms: [one, other] }) => {
    const { id, opaque, phone_number_id } = data.find(({ to }) => to === one)!;
    const more = { recipient_id: other.slice(1), biz_opaque_callback_data: opaque };
    return { phone_number_id, status: statusOf(id ?? "", "delivered", Date.now(), more) };
  });
  for (const { providerId, phone } of numbers) {
    const statuses = reports.filter((report) => report.phone_number_id === providerId).map(({ status }) => status);
    if (statuses.length === 0) continue;
    const account = { wabaId: "1", token: "", templates: {}, providerPhoneNumberId: providerId, phone };
    const body = JSON.stringify(callbackOf(account, ...statuses));
    const response = await fetch(`${gateway.url}/webhooks/receive`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-hub-signature-256": signatureOf(body, "app-secret") },
      body,
    });
    expect(response.status).toBe(200);
  }
}

/** What had not begun when every process had to know of the merges: uuids of messages, and the events that were there already. */
export type AfterMerge = { unsent: Set<string>; events: Set<string> };

/**
 * Resolves once so many contacts were merged and every statement that may have begun before has ended: what begins from then on
 * sees the merges.
 */
export async function whenMerged({ database, rows }: Deployment, of: Workspace, count: number): Promise<AfterMerge> {
  const merged = "select from contact where merged_into is not null";
  await vi.waitFor(async () => expect(await rows(of, merged)).toHaveLength(count), { timeout: 20_000, interval: 10 });
  await withClient(database.url, async (client) => {
    const { rows: now } = await client.query("select clock_timestamp()::text as at");
    const older =
      "select from pg_stat_activity where datname = current_database() and state <> 'idle' and query_start < $1 and pid <> pg_backend_pid()";
    await vi.waitFor(async () => expect((await client.query(older, [now[0].at])).rows).toEqual([]), {
      timeout: 10_000,
      interval: 5,
    });
  });
  // Events first: one that is written in between is left out, a message that begins in between is too.
  const events = await rows<{ id: string }>(of, "select id from event");
  const unsent = await rows<{ message_id: string }>(
    of,
    "select message_id from dispatch where state = 0 and attempt = 0",
  );
  return {
    unsent: new Set(unsent.map(({ message_id }) => message_id)),
    events: new Set(events.map(({ id }) => id)),
  };
}

/** The provider's record of what it accepted, in order of arrival, each with its message's public id. */
export const arrivals = ({ provider }: Deployment): (SentEntry & { message: string })[] =>
  provider
    .sent({ accepted: true, limit: 100_000 })
    .data.map((entry) => ({ ...entry, message: /msg_[0-9a-z]{26}/.exec(entry.opaque ?? "")?.[0] ?? "" }));
