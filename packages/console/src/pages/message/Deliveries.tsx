import { useQuery } from "@tanstack/react-query";
import type { Item } from "@waypost/sdk";
import { deliveriesQuery } from "../../api/queries/webhooks.ts";
import { type Column, DataTable } from "../../parts/DataTable.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { Status } from "../../parts/Status.tsx";
import { Time } from "../../parts/Time.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";

type Delivery = Item<"deliveries.list">;
const names = text.message.delivery;

const COLUMNS: readonly Column<Delivery>[] = [
  { key: "status", head: names.status, narrow: "end", cell: ({ status }) => <Status state={status} /> },
  { key: "kind", head: names.kind, narrow: "lead", isWide: true, isLink: true, cell: ({ kind }) => kind },
  { key: "tries", head: names.tries, narrow: "second", isFigure: true, cell: ({ attempt }) => attempt },
  {
    key: "time",
    head: names.time,
    narrow: "second-end",
    isFigure: true,
    cell: ({ created_at: created }) => <Time at={created} />,
  },
];

/** What endpoints were posted of a message. */
export function Deliveries({ messageId }: { messageId: string }) {
  const { data, error, refetch } = useQuery(deliveriesQuery(messageId));
  if (error !== null) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton label={text.loading} rows={3} />;
  if (data.length === 0) return <Empty title={text.message.noDeliveries} />;
  return (
    <DataTable
      label={text.message.tabs.deliveries}
      columns={COLUMNS}
      rows={data}
      keyOf={({ id }) => id}
      linkOf={({ id }) => paths.delivery(id)}
    />
  );
}
