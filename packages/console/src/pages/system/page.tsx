import { useQuery } from "@tanstack/react-query";
import type { System } from "@waypost/sdk";
import { systemQuery } from "../../api/queries/operator.ts";
import { CopyId } from "../../parts/Copy.tsx";
import { CopyCurl } from "../../parts/CopyCurl.tsx";
import { type Column, DataTable } from "../../parts/DataTable.tsx";
import { Fact, Facts } from "../../parts/Facts.tsx";
import { listOf } from "../../parts/list-of.ts";
import { PageHead, Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { Sections } from "../../parts/Sections.tsx";
import { StateSign } from "../../parts/Status.tsx";
import { Time } from "../../parts/Time.tsx";
import { LOCALE, text } from "../../text/text.ts";
import styles from "./system.module.css";

const words = text.system;
type Process = System["processes"][number];
type Queue = System["queues"][number];

/** The installation: who works, on what, and on which database. */
export function SystemPage() {
  const { data, error, refetch } = useQuery(systemQuery);
  return (
    <>
      <PageHead title={words.title} lead={words.lead}>
        <CopyCurl path="admin/v1/system" />
      </PageHead>
      {error !== null && <Problem error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton label={text.loading} />}
      {data !== undefined && <Shown system={data} />}
    </>
  );
}

function Shown({ system: { processes, queues, database, migrations, version } }: { system: System }) {
  const isStill = queues.some((queue) => queue.slots_owned < queue.slots);
  return (
    <Sections>
      {isStill && <Warning>{words.still}</Warning>}
      {migrations.pending.length > 0 && <Warning>{words.pending(listOf(migrations.pending))}</Warning>}
      <section aria-labelledby="queues-title">
        <h2 id="queues-title">{words.queues}</h2>
        <DataTable label={words.queues} columns={QUEUES} rows={queues} keyOf={({ kind }) => kind} />
      </section>
      <section aria-labelledby="processes-title">
        <h2 id="processes-title">{words.processes}</h2>
        <DataTable label={words.processes} columns={PROCESSES} rows={processes} keyOf={({ id }) => id} />
      </section>
      <section aria-labelledby="database-title" className={styles["facts"]}>
        <h2 id="database-title">{words.facts}</h2>
        <Facts>
          <Fact name={words.version}>{version}</Fact>
          <Fact name={words.server}>{database.version}</Fact>
          <Fact name={words.size}>{database.size_bytes !== null && sizeOf(database.size_bytes)}</Fact>
          <Fact name={words.migrations}>{migrations.applied}</Fact>
          <Fact name={words.latest}>{migrations.latest && <bdi>{migrations.latest}</bdi>}</Fact>
        </Facts>
      </section>
    </Sections>
  );
}

const Warning = ({ children }: { children: string }) => (
  <p role="status" className={styles["warning"]}>
    <StateSign state="warning" /> {children}
  </p>
);

const MEGABYTE = 1_048_576;
const sizeOf = (bytes: number): string =>
  new Intl.NumberFormat(LOCALE, { style: "unit", unit: "megabyte", maximumFractionDigits: 0 }).format(bytes / MEGABYTE);
const count = (value: number): string => new Intl.NumberFormat(LOCALE).format(value);

const QUEUES: readonly Column<Queue>[] = [
  {
    key: "kind",
    head: words.queue.kind,
    narrow: "lead",
    isWide: true,
    cell: ({ kind }) => words.kinds[kind] ?? kind,
  },
  { key: "rows", head: words.queue.rows, narrow: "second", isFigure: true, cell: ({ rows }) => count(rows) },
  {
    key: "owned",
    head: words.queue.owned,
    narrow: "end",
    isFigure: true,
    cell: ({ slots_owned: owned, slots }) => words.owned(owned, slots),
  },
  {
    key: "oldest",
    head: words.queue.oldest,
    narrow: "second-end",
    isFigure: true,
    cell: ({ oldest_due_at: at }) => (at === null ? words.nothing : <Time at={at} />),
  },
];

const PROCESSES: readonly Column<Process>[] = [
  {
    key: "roles",
    head: words.process.roles,
    narrow: "lead",
    isWide: true,
    cell: ({ roles }) => listOf(roles),
  },
  { key: "id", head: words.process.id, narrow: "second", cell: ({ id }) => <CopyId id={id} /> },
  { key: "version", head: words.process.version, narrow: "end", cell: ({ version }) => version },
  {
    key: "slots",
    head: words.process.slots,
    isFigure: true,
    cell: ({ slots }) => Object.values(slots).reduce((sum, one) => sum + one, 0),
  },
  {
    key: "lease",
    head: words.process.lease,
    narrow: "second-end",
    isFigure: true,
    cell: ({ lease_expires_at: at }) => <Time at={at} />,
  },
];
