import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { SetupLink } from "@waypost/sdk";
import { waypost } from "../../api/client.ts";
import { setupLinksQuery } from "../../api/queries/numbers.ts";
import { Confirm } from "../../parts/Confirm.tsx";
import { CopyId } from "../../parts/Copy.tsx";
import { type Column, DataTable } from "../../parts/DataTable.tsx";
import { Status } from "../../parts/Status.tsx";
import { Time } from "../../parts/Time.tsx";
import { text } from "../../text/text.ts";

const words = text.numbers.links;

/** The links by which clients connect accounts, the newest first. */
export function SetupLinks() {
  const { data } = useQuery(setupLinksQuery);
  if (data === undefined || data.length === 0) return null;
  return (
    <section aria-labelledby="links-title">
      <h2 id="links-title">{words.title}</h2>
      <DataTable label={words.title} columns={COLUMNS} rows={data} keyOf={({ id }) => id} />
    </section>
  );
}

const COLUMNS: readonly Column<SetupLink>[] = [
  { key: "link", head: words.columns.link, narrow: "lead", isWide: true, cell: ({ id }) => <CopyId id={id} /> },
  { key: "status", head: words.columns.status, narrow: "end", cell: ({ status }) => <Status state={status} /> },
  {
    key: "created",
    head: words.columns.created,
    narrow: "second",
    cell: ({ created_at: at }) => <Time at={at} />,
  },
  { key: "ends", head: words.columns.ends, isFigure: true, cell: ({ expires_at: at }) => <Time at={at} /> },
  {
    key: "action",
    head: words.columns.action,
    narrow: "second-end",
    isFigure: true,
    cell: (row) => row.status === "open" && <Revoke id={row.id} />,
  },
];

function Revoke({ id }: { id: string }) {
  const queryClient = useQueryClient();
  return (
    <Confirm
      action={words.revoke}
      busy={words.revoking}
      title={words.revokeAsk}
      effect={words.revokeEffect}
      scope="accounts:write"
      keep={words.keep}
      run={async () => {
        await waypost.setupLinks.delete(id);
        await queryClient.invalidateQueries({ queryKey: setupLinksQuery.queryKey });
      }}
    />
  );
}
