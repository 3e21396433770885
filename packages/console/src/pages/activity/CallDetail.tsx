import type { AuditActivity } from "@waypost/sdk";
import { CopyId } from "../../parts/Copy.tsx";
import { ErrorCode } from "../../parts/ErrorCode.tsx";
import { Fact, Facts } from "../../parts/Facts.tsx";
import { JsonView } from "../../parts/JsonView.tsx";
import { Time } from "../../parts/Time.tsx";
import { text } from "../../text/text.ts";
import styles from "./activity.module.css";
import { changesIn, shownValue } from "./changes.ts";
import { actorOf } from "./columns.tsx";

const words = text.activity;

/** One call: who, what, and what it changed, before and after side by side. */
export function CallDetail({ call }: { call: AuditActivity }) {
  const { request, response, resource, actor } = call;
  return (
    <div className={styles["call"]}>
      <Facts>
        <Fact name={words.columns.action}>
          <code>{call.action}</code>
        </Fact>
        <Fact name={words.columns.at}>
          <Time at={call.at} exact />
        </Fact>
        <Fact name={words.columns.actor}>
          <bdi>{actorOf(call)}</bdi> {actor.id !== null && <CopyId id={actor.id} />}
        </Fact>
        <Fact name={words.columns.resource}>{resource.id !== null && <CopyId id={resource.id} />}</Fact>
        <Fact name={words.request}>
          {request.path !== null && <code>{[request.method, request.path].filter(Boolean).join(" ")}</code>}
        </Fact>
        <Fact name={words.columns.status}>{response.status}</Fact>
        <Fact name={words.code}>{response.code && <ErrorCode code={response.code} />}</Fact>
        <Fact name={words.requestId}>{request.request_id !== null && <CopyId id={request.request_id} />}</Fact>
        <Fact name={words.session}>{request.session !== null && <CopyId id={request.session} />}</Fact>
        <Fact name={words.ip}>{request.ip}</Fact>
        <Fact name={words.agent}>{request.user_agent}</Fact>
        <Fact name={text.message.id}>
          <CopyId id={call.id} />
        </Fact>
      </Facts>
      <h3>{words.changes}</h3>
      <Changed changes={call.changes} />
    </div>
  );
}

function Changed({ changes }: { changes: unknown }) {
  const fields = changesIn(changes);
  if (fields === null)
    return changes === null ? (
      <p className="muted">{words.noChanges}</p>
    ) : (
      <JsonView value={changes} label={words.changes} />
    );
  return (
    <div className={styles["scroll"]} tabIndex={0} role="region" aria-label={words.changes}>
      <table className={styles["changes"]}>
        <thead>
          <tr>
            <th scope="col">{words.field}</th>
            <th scope="col">{words.before}</th>
            <th scope="col">{words.after}</th>
          </tr>
        </thead>
        <tbody>
          {fields.map(({ field, before, after }) => (
            <tr key={field}>
              <th scope="row">{field}</th>
              <td dir="auto">{shownValue(before) ?? words.nothing}</td>
              <td dir="auto">{shownValue(after) ?? words.nothing}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
