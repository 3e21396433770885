import type { TxCtx } from "../../../ctx.ts";
import { invalidAt } from "../../../http/problem.ts";
import { kindsOfFields, type ProviderField } from "./fields.ts";

/** What an endpoint gets, as its row has it; `fields` is null for our own format. `verify_token` is sealed. */
export type FormatColumns = { events: string[]; fields: ProviderField[] | null; verify_token: Uint8Array | null };

export type FormatGiven = {
  events?: string[];
  fields?: ProviderField[];
  verify_token?: string | null;
};

/** The columns of a new endpoint before its other settings; 400 where it asks for no events, or for those of the other format. */
export function newFormat(given: FormatGiven & { format?: "waypost" | "provider"; secret?: string }): FormatColumns {
  const isProvider = given.format === "provider";
  if (isProvider && given.fields === undefined)
    throw invalidAt("/fields", "An endpoint of the format `provider` needs `fields`.", "required");
  if (!isProvider && given.events === undefined)
    throw invalidAt("/events", "An endpoint needs `events`, or the format `provider` and `fields`.", "required");
  const columns: FormatColumns = { events: [], fields: isProvider ? [] : null, verify_token: null };
  requireOfFormat(columns, given);
  return columns;
}

/** 400 where a request gives what only endpoints of the other format have. */
export function requireOfFormat(
  { fields }: Pick<FormatColumns, "fields">,
  given: FormatGiven & { secret?: string },
): void {
  const foreign = fields === null ? (["fields", "verify_token", "secret"] as const) : (["events"] as const);
  const found = foreign.find((name) => given[name] !== undefined);
  if (found !== undefined)
    throw invalidAt(
      `/${found}`,
      fields === null
        ? `Only endpoints of the format \`provider\` have \`${found}\`.`
        : "An endpoint of the format `provider` has `fields` in place of `events`.",
    );
}

/** The columns after a request: what it gives, and the rest as it was. */
export function changedFormat(
  ctx: TxCtx,
  endpointId: string,
  before: FormatColumns,
  given: FormatGiven,
): FormatColumns {
  requireOfFormat(before, given);
  if (before.fields === null) return { events: given.events ?? before.events, fields: null, verify_token: null };
  const fields = given.fields ?? before.fields;
  const { verify_token: token } = given;
  return {
    events: kindsOfFields(fields),
    fields,
    verify_token:
      token === undefined
        ? before.verify_token
        : token === null
          ? null
          : ctx.secrets.seal(token, verifyTokenContext(ctx.workspaceId, endpointId)),
  };
}

/** The associated data of a sealed token: copied into another endpoint's row, it cannot be decrypted. */
export const verifyTokenContext = (workspaceId: string, endpointId: string): string =>
  `webhook-verify-token:${workspaceId}:${endpointId}`;
