import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { ApiError, type MessageWithHistory } from "@waypost/sdk";
import type { ReactNode } from "react";
import { addressOf } from "../../api/client.ts";
import { messageQuery } from "../../api/queries/messages.ts";
import { CopyButton } from "../../parts/Copy.tsx";
import controls from "../../parts/controls.module.css";
import { Empty } from "../../parts/Empty.tsx";
import { JsonView } from "../../parts/JsonView.tsx";
import { PageHead, Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { grouped } from "../../parts/phone-number.ts";
import { Status } from "../../parts/Status.tsx";
import { Tabs } from "../../parts/Tabs.tsx";
import { text } from "../../text/text.ts";
import { summaryOf } from "../messages/summary.ts";
import { CancelButton } from "./CancelButton.tsx";
import { curlOf } from "./curl.ts";
import { Deliveries } from "./Deliveries.tsx";
import { Facts } from "./Facts.tsx";
import styles from "./message.module.css";
import { Preview } from "./Preview.tsx";
import { TABS } from "./route-tabs.ts";
import { Timeline } from "./Timeline.tsx";

const route = getRouteApi("/app/workspace/messages/$id");

/** One message: what happened to it, and what the person sees. */
export function MessagePage() {
  const { id } = route.useParams();
  const { data: message, error, refetch } = useQuery(messageQuery(id));
  if (message !== undefined) return <Shown message={message} />;
  if (error === null) return <Skeleton label={text.loading} />;
  if (error instanceof ApiError && error.status === 404)
    return (
      <>
        <PageHead title={text.message.notFound} />
        <Empty title={id}>
          <p className="muted">{text.message.notFoundHelp}</p>
        </Empty>
      </>
    );
  return <Problem error={error} retry={() => void refetch()} />;
}

function Shown({ message }: { message: MessageWithHistory }) {
  const { tab = "timeline" } = route.useSearch();
  const navigate = route.useNavigate();
  const number = message.direction === "outbound" ? message.to : message.from;
  const person = number === null ? text.messages.noNumber : grouped(number);
  const change = (next: (typeof TABS)[number]): void =>
    void navigate({ search: next === "timeline" ? {} : { tab: next }, replace: true });
  const shown: Record<(typeof TABS)[number], ReactNode> = {
    timeline: <Timeline message={message} />,
    content: <JsonView value={message[message.type] ?? null} label={text.message.tabs.content} />,
    raw: <JsonView value={message} label={text.message.tabs.raw} />,
    deliveries: <Deliveries messageId={message.id} />,
  };
  return (
    <>
      <PageHead
        title={text.message.title[message.direction](summaryOf(message), person)}
        lead={<Status state={message.status} />}
      >
        <CancelButton message={message} />
        <CopyButton
          className={controls["button"] ?? ""}
          value={curlOf(addressOf(`v1/messages/${message.id}`))}
          label={text.message.curl}
        >
          {text.message.curl}
        </CopyButton>
      </PageHead>
      <div className={styles["columns"]}>
        <Tabs
          label={text.message.tabs.label}
          chosen={tab}
          onChoose={change}
          tabs={TABS.map((name) => ({ name, label: text.message.tabs[name], shows: shown[name] }))}
        />
        <aside className={styles["aside"]} aria-label={text.message.facts}>
          <Preview message={message} />
          <Facts message={message} />
        </aside>
      </div>
    </>
  );
}
