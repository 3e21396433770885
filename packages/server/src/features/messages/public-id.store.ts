import type { Sql } from "../../db/database.ts";
import { columns, hotFunction, inSpan, of, recordset } from "../../db/hot-function.ts";
import { isErased } from "../identity/erased.sql.ts";
import { UNREACHED_BITS } from "../threads/status.ts";
import { insertNamed } from "./dispatch/send-result.sql.ts";
import type { MessageError } from "./message-error.ts";

const ASKED = columns({
  workspace_id: "uuid",
  message_id: "uuid",
  /** Becomes the public id where the provider's is not known. */
  minted_id: "text",
});

/** The public id of a state row: what was stored first. */
export const PUBLIC_ID = (row: string): string => `coalesce(${row}.minted_id, ${row}.provider_message_id)`;
/** boolean: whether it ended without one. */
export const ENDED = (row: string): string => `(${PUBLIC_ID(row)} is null and ${row}.seen & ${UNREACHED_BITS} <> 0)`;

/**
 * Decides the public ids of messages. A state row that has none gets the minted one while it is locked: what the provider answers or
 * reports at that moment is stored before, and is the public id, or after, and is not. One that ended without having one gets none.
 */
export const decidePublicIds = hotFunction({
  name: "decide_public_ids",
  input: ASKED,
  span: ({ message_id }) => [message_id],
  answers: columns({
    /** Null: it ended without an id of the provider, or there is no such message. */
    public_id: "text?",
    minted: "boolean",
    /** Why it ended. */
    error: of<MessageError | null>("json?"),
  }),
  declare: `
  r record;
  s record;
  public_ids text[] := '{}';
  are_minted boolean[] := '{}';
  errors json[] := '{}';`,
  body: `
for r in select x.* from ${recordset(ASKED)} order by x.workspace_id, x.message_id loop
  select s.minted_id, s.provider_message_id, s.seen, s.error into s from message_state s
  where s.workspace_id = r.workspace_id and s.id = r.message_id and ${inSpan("s.id")}
  for no key update;
  if found and ${PUBLIC_ID("s")} is null and not ${ENDED("s")} then
    update message_state m set minted_id = r.minted_id
    where m.workspace_id = r.workspace_id and m.id = r.message_id and ${inSpan("m.id")};
    ${insertNamed("values (r.workspace_id, r.minted_id, r.message_id, now, false)")};
    s.minted_id := r.minted_id;
  end if;
  public_ids[r.ordinality] := ${PUBLIC_ID("s")};
  are_minted[r.ordinality] := s.minted_id is not null;
  errors[r.ordinality] := case when ${ENDED("s")} then s.error end;
end loop;
return query select u.public_id, u.minted, u.error
  from unnest(public_ids, are_minted, errors) with ordinality u(public_id, minted, error, n) order by u.n;`,
});

export type NamedMessageRow = {
  id: string;
  outbound: boolean;
  phone_number_id: string;
  contact_id: string;
  provider_message_id: string | null;
};

/** The message that has this id in public, or at the provider; null for those of others, and of people who were erased. */
export async function selectMessageRowOfPublicId(
  sql: Sql,
  workspaceId: string,
  publicId: string,
): Promise<NamedMessageRow | null> {
  const rows = await sql.query<NamedMessageRow>(
    `select m.id, m.outbound, m.phone_number_id, m.contact_id, s.provider_message_id
     from (
       select k.message_id from provider_message k
       where k.workspace_id = $1 and k.provider_message_id = $2 offset 0) k
     join message m on m.workspace_id = $1 and m.id = k.message_id
     join message_state s on s.workspace_id = $1 and s.id = k.message_id
     where not ${isErased("m.workspace_id", "m.contact_id")}`,
    [workspaceId, publicId],
  );
  return rows[0] ?? null;
}
