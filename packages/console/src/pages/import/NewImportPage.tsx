import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ContactImport } from "@waypost/sdk";
import { useState } from "react";
import { importsQuery } from "../../api/queries/imports.ts";
import { begun } from "../../api/works.ts";
import controls from "../../parts/controls.module.css";
import { type Column, DataTable } from "../../parts/DataTable.tsx";
import { Field } from "../../parts/Field.tsx";
import { Form } from "../../parts/Form.tsx";
import { PageHead } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { Status } from "../../parts/Status.tsx";
import { saveFile } from "../../parts/save-file.ts";
import { Time } from "../../parts/Time.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import { type Beginning, beginningOf } from "./beginning.ts";
import { guessOf } from "./columns.ts";
import styles from "./import.module.css";
import { Mapping } from "./Mapping.tsx";
import { FileFault, Preview } from "./Preview.tsx";
import { callOf, send } from "./sending.ts";

const words = text.imports;
const SAMPLE =
  "phone,name,tags,marketing_consent,attributes.city\n+15551230001,North Shop,vip;wholesale,opted_in,Recife\n+15551230002,,,,\n";

/** What is seen of the file that is chosen, and what each of its columns is, by its place. */
type Chosen = Beginning & { file: File | null; isReadable: boolean; fields: readonly string[] };
const NOTHING: Chosen = { file: null, isReadable: true, head: null, isText: true, isAll: false, fields: [] };

/** A file of people: its columns are named, its first rows are seen with their faults, and what it does is said before it is sent. */
export function NewImportPage() {
  const navigate = useNavigate();
  const [chosen, setChosen] = useState(NOTHING);
  const { file: known, isReadable, head, isText, isAll, fields } = chosen;
  const read = async (input: HTMLInputElement): Promise<void> => {
    const file = input.files?.[0];
    setChosen(NOTHING);
    if (file === undefined) return;
    const beginning = await beginningOf(file).catch(() => null); // a folder, or a file that is no longer there
    if (input.files?.[0] !== file) return; // another was chosen meanwhile
    if (beginning === null) setChosen({ ...NOTHING, isReadable: false });
    else
      setChosen({
        ...beginning,
        file,
        isReadable: true,
        fields: beginning.head?.columns.map(({ name }) => guessOf(name)) ?? [],
      });
  };
  const choose = (index: number, field: string): void => setChosen({ ...chosen, fields: fields.with(index, field) });
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <button
          type="button"
          className={controls["button"]}
          onClick={() => saveFile(new Blob([SAMPLE], { type: "text/csv" }), "contacts.csv")}
        >
          {words.sample}
        </button>
      </PageHead>
      <Form
        label={words.title}
        action={words.start}
        busy={words.sending}
        scope="contacts:write"
        submit={(given, idempotencyKey) => send(given, chosen, idempotencyKey)}
        asks={known === null ? null : () => callOf(known, chosen)}
        onDone={({ id }) => {
          begun({ kind: "import", id });
          void navigate(paths.import(id));
        }}
      >
        <div className={styles["narrow"]}>
          <Field path="file" label={words.file} help={words.fileHelp} required>
            {(bound) => (
              <input
                {...bound}
                type="file"
                accept=".csv,.txt,.ndjson,.jsonl,text/csv"
                className={controls["input"]}
                onChange={({ currentTarget }) => void read(currentTarget)}
              />
            )}
          </Field>
        </div>
        {!isReadable && <FileFault>{text.importPreview.unreadable}</FileFault>}
        {!isText && <FileFault>{text.importPreview.noText}</FileFault>}
        {head !== null && (
          <>
            <Mapping head={head} chosen={fields} onChoose={choose} />
            <Preview head={head} chosen={fields} isAll={isAll} />
          </>
        )}
      </Form>
      <Latest />
    </>
  );
}

const COLUMNS: readonly Column<ContactImport>[] = [
  { key: "status", head: words.columns.status, narrow: "end", cell: ({ status }) => <Status state={status} /> },
  {
    key: "rows",
    head: words.columns.rows,
    narrow: "lead",
    isWide: true,
    isLink: true,
    cell: ({ progress: { rows, failed } }) => words.counts(rows, failed),
  },
  {
    key: "time",
    head: words.columns.time,
    narrow: "second-end",
    isFigure: true,
    cell: ({ created_at: at }) => <Time at={at} />,
  },
];

function Latest() {
  const { data = [], error, refetch } = useQuery(importsQuery);
  if (error !== null) return <Problem error={error} retry={() => void refetch()} />;
  if (data.length === 0) return null;
  return (
    <section aria-labelledby="latest-title" className={styles["latest"]}>
      <h2 id="latest-title">{words.latest}</h2>
      <DataTable
        label={words.latest}
        columns={COLUMNS}
        rows={data}
        keyOf={({ id }) => id}
        linkOf={({ id }) => paths.import(id)}
      />
    </section>
  );
}
