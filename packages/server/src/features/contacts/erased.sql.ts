/** boolean: whether the contact of a message or an event was erased. Arguments are SQL. */
export const isErased = (workspace: string, contact: string): string =>
  `coalesce((select true from erased_contact z where z.workspace_id = ${workspace} and z.id = ${contact}), false)`;
