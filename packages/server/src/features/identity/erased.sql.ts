/** boolean: whether the contact of a message or an event was erased. Arguments are SQL. */
export const isErased = (workspace: string, contact: string): string =>
  `coalesce((select true from erased_contact z where z.workspace_id = ${workspace} and z.id = ${contact}), false)`;

/** What a row says of its person, as SQL: the workspace, digits of the number and its canonical form, the user id with its portfolio, and when. */
type SaidOfPerson = { workspace: string; phone: string; key: string; userId: string; scope: string; at: string };

/**
 * boolean: whether what a row says of its person is of the time of a person who was erased: one of its names was theirs then. In nearly
 * every workspace there is none, and nothing is digested.
 */
export const wasErasedPerson = ({ workspace, phone, key, userId, scope, at }: SaidOfPerson): string => {
  const digestOf = (kind: string, of: string, value: string): string =>
    `case when ${value} is not null then person_digest(${workspace}, '${kind}', ${of}, ${value}) end`;
  return `coalesce((select true from erased_name z where z.workspace_id = ${workspace} limit 1) and (
    select true from erased_name z
    where z.workspace_id = ${workspace} and z.until >= ${at} and z.digest in (
      ${digestOf("phone", "''", phone)}, ${digestOf("phone", "''", key)}, ${digestOf("user_id", scope, userId)})
    limit 1), false)`;
};

/** The same for a row `x` with the columns of `SENDER_COLUMNS` (sender.sql.ts), and of when it says it. */
export const wasErased = (at: string): string =>
  wasErasedPerson({
    workspace: "x.workspace_id",
    phone: "x.wa_id",
    key: "x.wa_key",
    userId: "x.user_id",
    scope: "x.scope",
    at,
  });
