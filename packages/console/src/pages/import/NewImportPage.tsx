import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { ContactImport } from "@waypost/sdk";
import { type ChangeEvent, useState } from "react";
import { waypost } from "../../api/client.ts";
import { importsQuery } from "../../api/queries/imports.ts";
import controls from "../../parts/controls.module.css";
import { type Column, DataTable } from "../../parts/DataTable.tsx";
import { Field } from "../../parts/Field.tsx";
import { Form } from "../../parts/Form.tsx";
import type { Given } from "../../parts/form-field.ts";
import { PageHead } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { Status } from "../../parts/Status.tsx";
import { saveFile } from "../../parts/save-file.ts";
import { Time } from "../../parts/Time.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import { type CsvHead, headOf, mappingOf } from "./csv-head.ts";
import styles from "./import.module.css";
import { Mapping } from "./Mapping.tsx";

const words = text.imports;
/** Read of a file to see its columns: far more than their names and the rows that are shown. */
const BEGINNING_BYTES = 65_536;
const SAMPLE =
  "phone,name,tags,marketing_consent,attributes.city\n+15551230001,North Shop,vip;wholesale,opted_in,Recife\n+15551230002,,,,\n";

/** A file of people: its columns are seen and named before it is sent. */
export function NewImportPage() {
  const navigate = useNavigate();
  const [head, setHead] = useState<CsvHead | null>(null);
  const read = async ({ currentTarget }: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const file = currentTarget.files?.[0];
    if (file === undefined || isLines(file)) return setHead(null);
    setHead(headOf(await file.slice(0, BEGINNING_BYTES).text(), file.size <= BEGINNING_BYTES));
  };
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
      <div className={styles["form"]}>
        <Form
          label={words.title}
          action={words.start}
          busy={words.sending}
          scope="contacts:write"
          submit={(given, idempotencyKey) => send(given, head, idempotencyKey)}
          onDone={({ id }) => void navigate(paths.import(id))}
        >
          <Field path="file" label={words.file} help={words.fileHelp} required>
            {(bound) => (
              <input
                {...bound}
                type="file"
                accept=".csv,.txt,.ndjson,.jsonl,text/csv"
                className={controls["input"]}
                onChange={(event) => void read(event)}
              />
            )}
          </Field>
          {head !== null && <Mapping head={head} />}
        </Form>
      </div>
      <Latest />
    </>
  );
}

const isLines = ({ name }: File): boolean => /\.(?:ndjson|jsonl)$/i.test(name);

function send(given: Given, head: CsvHead | null, idempotencyKey: string): Promise<ContactImport> {
  const file = given.file("file");
  if (file === null) throw new Error(text.form.missing);
  const type = isLines(file) ? "application/x-ndjson" : "text/csv";
  const query = head === null ? {} : { mapping: mappingOf(head.columns, (index) => given.text(`column.${index}`)) };
  return waypost.contacts.createImport({ content: file, type }, query, { idempotencyKey });
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
