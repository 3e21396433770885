import { useMutation } from "@tanstack/react-query";
import { fileOf } from "../../api/file.ts";
import { useScope } from "../../parts/Action.tsx";
import { ButtonMenu } from "../../parts/ButtonMenu.tsx";
import { saveFile } from "../../parts/save-file.ts";
import { stringifySearch } from "../../search.ts";
import { text } from "../../text/text.ts";
import type { ContactsSearch } from "./search.ts";

const words = text.contactExport;

const FORMATS = { csv: "text/csv", ndjson: "application/x-ndjson" } as const;
type Format = keyof typeof FORMATS;

type Saving = {
  isPending: boolean;
  error: Error | null;
  start(format: Format): void;
  /** The same once more. */
  again(): void;
};

/** Saves all people that the filters leave, not the page alone, as one file: a `Blob`, which browsers keep on the disk where it is large. */
export function useExport(filters: Omit<ContactsSearch, "open" | "cursor">): Saving {
  const path = `v1/contacts/export${stringifySearch(filters)}`;
  const { mutate, variables, isPending, error } = useMutation({
    mutationFn: async (format: Format) => saveFile(await fileOf(path, FORMATS[format]), `contacts.${format}`),
  });
  return { isPending, error, start: mutate, again: () => variables !== undefined && mutate(variables) };
}

export function ExportButton({ saving: { isPending, start } }: { saving: Saving }) {
  const held = useScope("contacts:read");
  const item = (key: Format) => ({ key, label: words.formats[key], onChoose: () => start(key) });
  return (
    <ButtonMenu items={[item("csv"), item("ndjson")]} title={held.title} disabled={held.disabled ?? isPending}>
      {isPending ? words.saving : words.start}
    </ButtonMenu>
  );
}
