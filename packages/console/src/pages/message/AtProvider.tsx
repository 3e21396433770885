import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { MessageAtProvider, MessageWithHistory } from "@waypost/sdk";
import type { ReactNode } from "react";
import { messageAtProviderQuery } from "../../api/queries/messages.ts";
import { can } from "../../api/session.ts";
import { JsonView } from "../../parts/JsonView.tsx";
import { Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { text } from "../../text/text.ts";
import styles from "./message.module.css";

const app = getRouteApi("/app");
const SCOPE = "audit:read";
const names = text.message.raw;

/** What was exchanged with the provider, and the message as the API has it: all as it is. */
export function AtProvider({ message }: { message: MessageWithHistory }) {
  const { session } = app.useRouteContext();
  return (
    <div className={styles["raw"]}>
      {can(session, SCOPE) ? (
        <Exchanged message={message} />
      ) : (
        <Part title={names.provider}>
          <p className="muted">{text.problem.forbidden(SCOPE)}</p>
        </Part>
      )}
      <Part title={names.message}>
        <JsonView value={message} label={text.message.tabs.raw} />
      </Part>
    </div>
  );
}

function Exchanged({ message: { id, status, history } }: { message: MessageWithHistory }) {
  // With each step there is more to show.
  const { data, error, refetch } = useQuery(messageAtProviderQuery(id, `${status} ${history.length}`));
  if (error !== null) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton label={text.loading} rows={4} />;
  return (
    <>
      <Request request={data.request} />
      {data.attempts.length > 0 && (
        <Part title={names.attempts}>
          <JsonView value={data.attempts} label={names.attempts} />
        </Part>
      )}
      <Part title={names.reports}>
        {data.reports.length === 0 ? (
          <p className="muted">{names.noReports}</p>
        ) : (
          <JsonView value={data.reports} label={names.reports} />
        )}
      </Part>
    </>
  );
}

function Request({ request }: { request: MessageAtProvider["request"] }) {
  return (
    <Part title={names.request}>
      {request === null ? (
        <p className="muted">{names.noRequest}</p>
      ) : (
        <>
          <p>
            <code>
              {request.method} {request.path}
            </code>
          </p>
          <JsonView value={request.body} label={names.request} />
        </>
      )}
    </Part>
  );
}

const Part = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className={styles["part"]}>
    <h2>{title}</h2>
    {children}
  </section>
);
