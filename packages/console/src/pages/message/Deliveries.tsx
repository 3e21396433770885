import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { MessageWithHistory } from "@waypost/sdk";
import { deliveriesQuery } from "../../api/queries/webhooks.ts";
import { DataTable } from "../../parts/DataTable.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import { COLUMNS_OF_ALL } from "../deliveries/columns.tsx";

/** What endpoints were posted of a message. */
export function Deliveries({ message }: { message: MessageWithHistory }) {
  const { data, error, refetch } = useQuery(deliveriesQuery(message));
  if (error !== null) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton label={text.loading} rows={3} />;
  if (data.data.length === 0) return <Empty title={text.message.noDeliveries} />;
  return (
    <>
      <DataTable
        label={text.message.tabs.deliveries}
        columns={COLUMNS_OF_ALL}
        rows={data.data}
        keyOf={({ id }) => id}
        linkOf={({ id }) => paths.delivery(id)}
      />
      {data.nextCursor !== null && (
        <Link {...paths.deliveries({ message_id: message.id })}>{text.deliveries.ofMessage}</Link>
      )}
    </>
  );
}
