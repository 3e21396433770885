import { type Static, Type } from "typebox";
import { idSchema } from "../../../http/ids.ts";
import { listOf, listQuery } from "../../../http/pagination.ts";
import { Problem } from "../../../http/problem.ts";
import { nullable } from "../../../http/schema-types.ts";
import { timestampOutput } from "../../../http/timestamps.ts";

export type Format = "csv" | "ndjson";

/** Imports of a workspace that have not ended: one runs, the others wait with their files on the disk. */
export const MOST_ACTIVE = 20;
/** Errors of one import that are kept; `progress.failed` counts all. */
export const MOST_ERRORS = 10_000;

/** 429, of the workspace's own doing: its imports end one after the other. */
export const tooManyImports = (): Problem =>
  new Problem("rate_limited", `${MOST_ACTIVE} imports have not ended: wait for one, or cancel it.`, {
    retryAfterSeconds: 60,
  });

const count = (description: string) => Type.Integer({ description });

const IMPORT_EXAMPLE = {
  id: "imp_01jd0000000000000000000000",
  status: "running" as const,
  format: "csv" as const,
  mapping: { Mobile: "phone", City: "attributes.city", Notes: null },
  progress: { rows: 12_000, created: 11_000, updated: 400, failed: 3, bytes: 900_000, total_bytes: 4_100_000 },
  error: null,
  created_at: "2026-01-31T08:00:00.000Z",
  completed_at: null,
};

export const ContactImport = Type.Object(
  {
    id: idSchema("imp"),
    status: Type.Union(
      (["pending", "running", "completed", "failed", "canceled"] as const).map((status) => Type.Literal(status)),
      {
        description:
          "`completed`: the whole file was read, rows that were refused are in `progress.failed`. After `failed` and `canceled` the rows that are counted stay imported.",
      },
    ),
    format: Type.Union([Type.Literal("csv"), Type.Literal("ndjson")]),
    mapping: Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()]), {
      description: "As it was given: column → field, null for a column that is ignored.",
    }),
    progress: Type.Object({
      rows: count("Rows that were read, those without any change too."),
      created: count("Contacts that were created."),
      updated: count("Contacts that were changed."),
      failed: count("Rows that were refused."),
      bytes: count("Bytes of the file that were read."),
      total_bytes: count("Bytes of the file."),
    }),
    error: nullable(Type.Object({ code: Type.String(), detail: Type.String() }), "Why it failed."),
    created_at: timestampOutput(),
    completed_at: nullable(timestampOutput()),
  },
  { $id: "ContactImport", examples: [IMPORT_EXAMPLE] },
);
export type ContactImport = Static<typeof ContactImport>;
export const ContactImportList = listOf(ContactImport);

/** The mapping as a field of a form, for the document. */
export const MAPPING_FIELD = {
  type: "string",
  description: "As `mapping` of the query.",
  examples: ['{"Mobile":"phone"}'],
};

export const ImportQuery = Type.Object({
  mapping: Type.Optional(
    Type.String({
      maxLength: 8_192,
      description:
        'For CSV: a JSON object from the file\'s column names to fields: `phone id name email locale tags marketing_consent attributes`, `attributes.<name>`, or null to ignore a column, such as `{"Mobile":"phone","City":"attributes.city","Notes":null}`. A column can also be named by its place, from 1: `{"#3":"phone"}` is the third. Columns that are not named keep their own name as the field.',
    }),
  ),
});
export type ImportQuery = Static<typeof ImportQuery>;

export const ImportListQuery = Type.Object({ ...listQuery });
export type ImportListQuery = Static<typeof ImportListQuery>;

export const ContactImportError = Type.Object(
  {
    row: count("The row of data, from 1."),
    line: count("The line of the file on which the row begins, from 1."),
    column: nullable(
      Type.String(),
      "As the file calls it, or its place (`#3`) where it has no name; null for the row as a whole.",
    ),
    code: Type.String(),
    detail: Type.String({ description: "What the column takes. The value itself is not repeated." }),
  },
  {
    $id: "ContactImportError",
    examples: [
      {
        row: 17,
        line: 18,
        column: "Mobile",
        code: "invalid_phone_number",
        detail:
          "The number must begin with `+` and a country code, and be possible in that country; it has 6 digits, and a number has 8 to 15.",
      },
    ],
  },
);
export type ContactImportError = Static<typeof ContactImportError>;
export const ContactImportErrorList = listOf(ContactImportError);
