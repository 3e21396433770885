import type { Waypost } from "@waypost/sdk";
import { type Declared, type Given, text } from "./commands/command.ts";
import { UsageError } from "./errors.ts";
import { writeRows } from "./write-rows.ts";

type Filters = NonNullable<Parameters<Waypost["contacts"]["export"]>[0]>;

/** `waypost export`: all contacts, or those of a filter, to standard output or a file. */
export const exportCommand: Declared = {
  name: "export",
  does: "export contacts as CSV or NDJSON",
  key: "workspace",
  operation: "contacts.export",
  example: "export --tag vip --out vip.csv",
  options: [
    { name: "format", does: "csv by default; ndjson with --json", choices: ["csv", "ndjson"], isOwn: true },
    { name: "out", does: "file to write; by default to standard output", isOwn: true },
    { name: "phone", does: "the person with this number alone" },
    { name: "tag", does: "those with this tag" },
    { name: "segment", does: "seg_…: those in this segment", isOwn: true },
    { name: "search", does: "those with this text in a name, address, number or attribute", isOwn: true },
    { name: "consent", does: "to marketing", choices: ["unknown", "opted_in", "opted_out"], isOwn: true },
  ],
  run: async ({ workspace, given, isJson }) => {
    const format = text(given, "format") || (isJson ? "ndjson" : "csv");
    refuseBoth(format, isJson);
    const api = await workspace();
    await writeRows(await api.contacts.export(filtersOf(given)).file(format as "csv" | "ndjson"), outOf(given)); // one of its choices
    return null;
  },
};

/** A script that asks for JSON must not get a table. */
export function refuseBoth(format: unknown, isJson: boolean): void {
  if (isJson && format === "csv") throw new UsageError("--json and --format csv exclude each other");
}

export const outOf = ({ out }: Given): string | undefined => (out === undefined ? undefined : String(out));

function filtersOf({ phone, tag, segment, search, consent }: Given): Filters {
  const filters = { phone, tag, segment_id: segment, q: search, marketing_consent: consent };
  return filters as Filters; // texts, and consent is one of its choices; what is undefined is left out
}
