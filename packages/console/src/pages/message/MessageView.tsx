import { useQuery } from "@tanstack/react-query";
import type { MessageWithHistory } from "@waypost/sdk";
import type { ReactNode } from "react";
import { messageQuery } from "../../api/queries/messages.ts";
import { ActionLink } from "../../parts/Action.tsx";
import { CopyCurl } from "../../parts/CopyCurl.tsx";
import { withoutCodes } from "../../parts/codes.ts";
import { JsonView } from "../../parts/JsonView.tsx";
import { Loaded } from "../../parts/Loaded.tsx";
import { PageHead } from "../../parts/Page.tsx";
import { fieldsOf } from "../../parts/phone/bubble-shape.ts";
import { grouped } from "../../parts/phone-number.ts";
import { Status } from "../../parts/Status.tsx";
import { Tabs } from "../../parts/Tabs.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import { canSendAgain } from "../compose/draft.ts";
import { summaryOf } from "../messages/summary.ts";
import { AtProvider } from "./AtProvider.tsx";
import { CancelButton } from "./CancelButton.tsx";
import { Deliveries } from "./Deliveries.tsx";
import { MessageFacts } from "./MessageFacts.tsx";
import styles from "./message.module.css";
import { Preview } from "./Preview.tsx";
import { TABS, type Tab } from "./route-tabs.ts";
import { Timeline } from "./Timeline.tsx";

type Place = {
  tab: Tab | undefined;
  /** Undefined for the first one. */
  onTab(tab: Tab | undefined): void;
};

/** One message: what happened to it, and what the person sees; on its own page, or beside its list. */
export function MessageView({ id, ...place }: { id: string } & Place) {
  return (
    <Loaded query={useQuery(messageQuery(id))} id={id} words={text.message}>
      {(message) => <Shown message={message} {...place} />}
    </Loaded>
  );
}

/** Of what a tab shows. */
const PATHS: Readonly<Record<Tab, (id: string) => string>> = {
  timeline: (id) => `v1/messages/${id}`,
  content: (id) => `v1/messages/${id}`,
  raw: (id) => `v1/messages/${id}/provider`,
  deliveries: (id) => `v1/deliveries?message_id=${id}`,
};

function Shown({ message, tab = TABS[0], onTab }: { message: MessageWithHistory } & Place) {
  const number = message.direction === "outbound" ? message.to : message.from;
  const person = number === null ? text.messages.noNumber : grouped(number);
  const shown: Record<Tab, ReactNode> = {
    timeline: <Timeline message={message} />,
    content: (
      <JsonView value={fieldsOf(withoutCodes(message))[message.type] ?? null} label={text.message.tabs.content} />
    ),
    raw: <AtProvider message={message} />,
    deliveries: <Deliveries message={message} />,
  };
  return (
    <div className={styles["whole"]}>
      <PageHead
        title={text.message.title[message.direction](summaryOf(message), person)}
        lead={<Status state={message.status} />}
      >
        <CancelButton message={message} />
        {canSendAgain(message) && (
          <ActionLink scope="messages:write" {...paths.compose({ again: message.id })}>
            {text.compose.again}
          </ActionLink>
        )}
        <CopyCurl path={PATHS[tab](message.id)} />
      </PageHead>
      <div className={styles["columns"]}>
        <Tabs
          label={text.message.tabs.label}
          chosen={tab}
          onChoose={(next) => onTab(next === TABS[0] ? undefined : next)}
          tabs={TABS.map((name) => ({ name, label: text.message.tabs[name], shows: shown[name] }))}
        />
        <aside className={styles["aside"]} aria-label={text.message.facts}>
          <Preview message={message} />
          <MessageFacts message={message} />
        </aside>
      </div>
    </div>
  );
}
