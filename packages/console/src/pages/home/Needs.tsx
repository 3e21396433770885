import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { messagesQuery } from "../../api/queries/messages.ts";
import { accountsQuery } from "../../api/queries/numbers.ts";
import { templatesQuery } from "../../api/queries/templates.ts";
import { endpointsQuery } from "../../api/queries/webhooks.ts";
import { can } from "../../api/session.ts";
import { ActionLink } from "../../parts/Action.tsx";
import { listOf } from "../../parts/list-of.ts";
import { Problem } from "../../parts/Problem.tsx";
import { grouped } from "../../parts/phone-number.ts";
import { StateSign } from "../../parts/Status.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import styles from "./home.module.css";
import { type Asked, rfc3339 } from "./range.ts";

const app = getRouteApi("/app");
const words = text.home;

/** Without one of these, something that needs a person is not seen here. */
const SCOPES = ["messages:read", "accounts:read", "webhooks:read", "templates:read"] as const;

/** What does not get better by itself, each with the way to it. `isDue`: the page's first data is there. */
export function Needs({ asked: range, isDue }: { asked: Asked; isDue: boolean }) {
  const { session } = app.useRouteContext();
  const unseen = SCOPES.filter((scope) => !can(session, scope));
  const enabledBy = (scope: (typeof SCOPES)[number]) => ({ enabled: isDue && !unseen.includes(scope) });
  const within = {
    created_after: rfc3339(range.begin),
    ...(range.ended !== undefined && { created_before: range.ended }),
  };
  const failed = useQuery({ ...messagesQuery({ status: "failed", ...within }), ...enabledBy("messages:read") });
  const unknown = useQuery({ ...messagesQuery({ status: "unknown", ...within }), ...enabledBy("messages:read") });
  const accounts = useQuery({ ...accountsQuery, ...enabledBy("accounts:read") });
  const endpoints = useQuery({ ...endpointsQuery, ...enabledBy("webhooks:read") });
  const paused = useQuery({ ...templatesQuery({ status: "paused" }), ...enabledBy("templates:read") });
  const rejected = useQuery({ ...templatesQuery({ status: "rejected" }), ...enabledBy("templates:read") });
  const asked = [failed, unknown, accounts, endpoints, paused, rejected];
  const broken = asked.find(({ error, data }) => error !== null && data === undefined);
  const numbers = (accounts.data ?? []).flatMap(({ phone_numbers: all }) => all);
  const items: ReactNode[] = [
    ...(accounts.data ?? [])
      .filter(({ status }) => status === "disconnected")
      .map(({ id, name, provider_account_id: account, status_reason: reason }) => (
        <Need key={id} state="disconnected" title={words.account(name || account)} help={words.accountHelp(reason)}>
          <ActionLink scope="accounts:write" {...paths.connect({ account })}>
            {words.connect}
          </ActionLink>
        </Need>
      )),
    ...(endpoints.data ?? [])
      // One that a person has disabled needs no person.
      .filter(({ status, disabled_reason: reason }) => status !== "active" && reason !== "requested")
      .map(({ id, url, status }) => (
        <LookNeed
          key={id}
          state={status}
          title={status === "failing" ? words.endpointFailing(url) : words.endpointStopped(url)}
          link={paths.endpoint(id)}
        />
      )),
    ...(["rejected", "paused"] as const).flatMap((status) => {
      const [first, ...others] = (status === "paused" ? paused : rejected).data ?? [];
      if (first === undefined) return [];
      const link = others.length === 0 ? paths.template(first.id) : paths.templates({ status });
      const count = others.length + 1;
      const title = status === "paused" ? words.templatesPaused(count) : words.templatesRejected(count);
      return [<LookNeed key={`templates ${status}`} state={status} title={title} link={link} />];
    }),
    ...numbers
      .filter(({ quality }) => quality === "yellow" || quality === "red")
      .map(({ id, phone, quality }) => (
        <LookNeed
          key={id}
          state="warning"
          title={quality === "red" ? words.qualityRed(grouped(phone)) : words.qualityYellow(grouped(phone))}
          help={words.qualityHelp}
          link={paths.number(id)}
        />
      )),
    ...needOf("failed", failed.data, within),
    ...needOf("unknown", unknown.data, within),
  ];
  const isWhole = unseen.length === 0 && asked.every(({ data }) => data !== undefined);
  return (
    <section className={styles["needs"]} aria-labelledby="needs-title">
      <h2 id="needs-title">{words.needs}</h2>
      {broken !== undefined && <Problem error={broken.error} retry={() => void broken.refetch()} />}
      {items.length > 0 && <ul>{items}</ul>}
      {items.length === 0 && isWhole && <p className="muted">{words.calm}</p>}
      {unseen.length > 0 && <p className="muted">{words.unseen(listOf(unseen))}</p>}
    </section>
  );
}

/** The list counts no further than its first page, and says so. */
function needOf(
  status: "failed" | "unknown",
  page: { data: unknown[]; nextCursor: string | null } | undefined,
  within: { created_after: string; created_before?: string },
): ReactNode[] {
  if (page === undefined || page.data.length === 0) return [];
  const count = `${page.data.length}${page.nextCursor === null ? "" : "+"}`;
  const help = status === "failed" ? words.failedHelp : words.unknownHelp;
  const link = paths.messages({ status, ...within });
  return [<LookNeed key={status} state={status} title={words[status](count)} help={help} link={link} />];
}

type NeedProps = { state: string; title: string; help?: string };

const LookNeed = ({ link, ...need }: NeedProps & { link: LinkProps }) => (
  <Need {...need}>
    <Link {...link}>{words.look}</Link>
  </Need>
);

function Need({ state, title, help, children }: NeedProps & { children: ReactNode }) {
  return (
    <li className={styles["need"]} data-state={state}>
      <StateSign state={state} />
      <div>
        <p className={styles["needTitle"]}>{title}</p>
        {help !== undefined && <p className="muted">{help}</p>}
      </div>
      {children}
    </li>
  );
}
