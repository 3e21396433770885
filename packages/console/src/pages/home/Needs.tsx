import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { messagesQuery } from "../../api/queries/messages.ts";
import { accountsQuery } from "../../api/queries/numbers.ts";
import { can } from "../../api/session.ts";
import { StateSign } from "../../parts/Status.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import styles from "./home.module.css";

const app = getRouteApi("/app");

/** Without one of these, something that needs a person is not seen here. */
const SCOPES = ["messages:read", "accounts:read", "webhooks:read", "templates:read"] as const;

/** What does not get better by itself, each with the way to it. `since`: RFC 3339. */
export function Needs({ since }: { since: string }) {
  const { session } = app.useRouteContext();
  const unseen = SCOPES.filter((scope) => !can(session, scope));
  const failed = useQuery(messagesQuery({ status: "failed", created_after: since }));
  const unknown = useQuery(messagesQuery({ status: "unknown", created_after: since }));
  const accounts = useQuery({ ...accountsQuery, enabled: can(session, "accounts:read") });
  const dead = (accounts.data ?? []).filter(({ status }) => status === "disconnected");
  const items: ReactNode[] = [
    ...dead.map(({ id, name, status_reason: reason }) => (
      <Need
        key={id}
        state="disconnected"
        title={text.home.account(name ?? id)}
        help={text.home.accountHelp(reason ?? null)}
      >
        <Link {...paths.numbers()}>{text.home.look}</Link>
      </Need>
    )),
    ...needOf("failed", failed.data, since),
    ...needOf("unknown", unknown.data, since),
  ];
  const isReady = failed.data !== undefined && unknown.data !== undefined;
  return (
    <section className={styles["needs"]} aria-labelledby="needs-title">
      <h2 id="needs-title">{text.home.needs}</h2>
      {items.length > 0 ? (
        <ul>{items}</ul>
      ) : (
        isReady && unseen.length === 0 && <p className="muted">{text.home.calm}</p>
      )}
      {unseen.length > 0 && <p className="muted">{text.home.unseen(unseen)}</p>}
    </section>
  );
}

/** The list counts no further than its first page, and says so. */
function needOf(
  status: "failed" | "unknown",
  page: { data: unknown[]; nextCursor: string | null } | undefined,
  since: string,
): ReactNode[] {
  if (page === undefined || page.data.length === 0) return [];
  const count = `${page.data.length}${page.nextCursor === null ? "" : "+"}`;
  const help = status === "failed" ? text.home.failedHelp : text.home.unknownHelp;
  return [
    <Need key={status} state={status} title={text.home[status](count)} help={help}>
      <Link {...paths.messages({ status, created_after: since })}>{text.home.look}</Link>
    </Need>,
  ];
}

function Need({ state, title, help, children }: { state: string; title: string; help: string; children?: ReactNode }) {
  return (
    <li className={styles["need"]} data-state={state}>
      <StateSign state={state} />
      <div>
        <p className={styles["needTitle"]}>{title}</p>
        <p className="muted">{help}</p>
      </div>
      {children}
    </li>
  );
}
