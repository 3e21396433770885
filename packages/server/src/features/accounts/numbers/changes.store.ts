import { callWithin } from "../../../db/call-within.ts";
import type { Sql } from "../../../db/database.ts";
import { columns, hotFunction, of, recordset } from "../../../db/hot-function.ts";
import type { ProviderPhoneNumber } from "../../../provider/provider.ts";
import { EVENT_VARIABLES, SLOTS_MASK } from "../../events/event.sql.ts";
import { numberChanged } from "./number.sql.ts";

const CHANGED = columns({
  workspace_id: "uuid",
  id: "uuid",
  /** What has changed: quality, limit, throughput, name, status. */
  changed: of<readonly string[]>("json"),
});

/** Reports that numbers have changed, each with its row as it is now. */
export const reportNumbers = hotFunction({
  name: "report_numbers",
  input: CHANGED,
  answers: columns({ id: "uuid", slots_mask: "text" }),
  declare: `${EVENT_VARIABLES}
  r record;
  n record;`,
  body: `
for r in select x.* from ${recordset(CHANGED)} order by x.workspace_id, x.id
loop
  select p.* into n from phone_number p where p.workspace_id = r.workspace_id and p.id = r.id;
  if found then
    ${numberChanged("n", "r.changed")}
  end if;
  return query select r.id, ${SLOTS_MASK};
end loop;`,
});

type KnownNumber = {
  id: string;
  provider_phone_number_id: string;
  verified_name: string | null;
  quality: string;
  status: string;
  throughput_per_second: number;
};

/** What is stored of the numbers with these ids of the provider. */
export const selectKnownNumbers = (
  sql: Sql,
  workspaceId: string,
  providerIds: readonly string[],
): Promise<KnownNumber[]> =>
  sql.query<KnownNumber>(
    `select id, provider_phone_number_id, verified_name, quality, status, throughput_per_second from phone_number
     where workspace_id = $1 and provider_phone_number_id = any($2)`,
    [workspaceId, providerIds],
  );

/**
 * Reports what is new in what the provider says of known numbers, in the running transaction. `retired`: ids of those that it no
 * longer lists.
 */
export async function reportChanges(
  sql: Sql,
  workspaceId: string,
  {
    known,
    numbers,
    retired,
    now,
  }: {
    known: readonly KnownNumber[];
    numbers: readonly ProviderPhoneNumber[];
    retired: readonly string[];
    now: number;
  },
): Promise<void> {
  const changes = known.flatMap((before) => {
    const after = numbers.find((one) => one.providerPhoneNumberId === before.provider_phone_number_id);
    const changed = after ? changesOf(before, after) : [];
    return changed.length === 0 ? [] : [{ workspace_id: workspaceId, id: before.id, changed }];
  });
  const ended = retired.map((id) => ({ workspace_id: workspaceId, id, changed: ["status"] }));
  await callWithin(sql, reportNumbers, [...changes, ...ended], now);
}

function changesOf(before: KnownNumber, after: ProviderPhoneNumber): string[] {
  const throughput = after.throughputPerSecond ?? before.throughput_per_second;
  return [
    ...(after.quality === before.quality ? [] : ["quality"]),
    ...(throughput === before.throughput_per_second ? [] : ["throughput"]),
    ...(after.verifiedName === before.verified_name ? [] : ["name"]),
    ...(after.status === before.status ? [] : ["status"]),
  ];
}
