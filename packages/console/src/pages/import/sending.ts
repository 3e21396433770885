import type { ContactImport } from "@waypost/sdk";
import { waypost } from "../../api/client.ts";
import type { Call } from "../../parts/CopyCurl.tsx";
import type { Given } from "../../parts/form-field.ts";
import { stringifySearch } from "../../search.ts";
import { text } from "../../text/text.ts";
import { isLines } from "./beginning.ts";
import { mappingOf } from "./columns.ts";
import type { CsvHead } from "./csv-head.ts";

/** What its columns are, by their places; `head` is null where there are none. */
type Mapped = { head: CsvHead | null; fields: readonly string[] };

/** Begins the import of the file that a form has. */
export function send(given: Given, mapped: Mapped, idempotencyKey: string): Promise<ContactImport> {
  const file = given.file("file");
  if (file === null) throw new Error(text.form.missing);
  return waypost.contacts.createImport({ content: file, type: typeOf(file) }, queryOf(mapped), { idempotencyKey });
}

/** The call that does the same. */
export const callOf = (file: File, mapped: Mapped): Call => ({
  path: `v1/contacts/imports${stringifySearch(queryOf(mapped))}`,
  file: { name: file.name, type: typeOf(file) },
});

const typeOf = (file: File): string => (isLines(file) ? "application/x-ndjson" : "text/csv");

const queryOf = ({ head, fields }: Mapped): { mapping?: string } =>
  head === null ? {} : { mapping: mappingOf(head.columns, fields) };
