import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { QuarantinedCallback } from "@waypost/sdk";
import { quarantinedQuery } from "../../api/queries/operator.ts";
import { CopyButton, CopyId } from "../../parts/Copy.tsx";
import { CopyCurl } from "../../parts/CopyCurl.tsx";
import { Fact, Facts } from "../../parts/Facts.tsx";
import { JsonView } from "../../parts/JsonView.tsx";
import { Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { ServerText } from "../../parts/ServerText.tsx";
import { Time } from "../../parts/Time.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import styles from "./quarantine.module.css";
import { Replay } from "./Replay.tsx";

const words = text.quarantine;
/** What a callback reports is six levels deep; longer ones than this, in characters, are folded as any. */
const SHORT = 20_000;
const DEEP = 8;

/** One change: why it waits, and the callback that it came in. */
export function Quarantined({ id }: { id: string }) {
  const { data, error, refetch } = useQuery(quarantinedQuery(id));
  if (error !== null) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Skeleton label={text.loading} />;
  return (
    <div className={styles["one"]}>
      <About change={data} />
      <div className={styles["actions"]}>
        {data.replayed_at === null && data.callback !== null && <Replay id={id} />}
        <CopyCurl path={`admin/v1/quarantine/${id}`} />
      </div>
      {data.change !== null && (
        <>
          <h3>{words.part}</h3>
          <Json value={data.change} length={JSON.stringify(data.change).length} label={words.part} />
        </>
      )}
      <h3>{words.callback}</h3>
      <Raw callback={data.callback} />
    </div>
  );
}

const About = ({ change }: { change: QuarantinedCallback }) => (
  <Facts>
    <Fact name={words.columns.reason}>
      <Link {...paths.quarantine({ reason: change.reason })}>{change.reason}</Link>
    </Fact>
    <Fact name={words.detail}>{change.detail !== null && <ServerText>{change.detail}</ServerText>}</Fact>
    <Fact name={words.columns.about}>
      {(change.provider_phone_number_id ?? change.provider_account_id) !== null && (
        <span className="mono">{change.provider_phone_number_id ?? change.provider_account_id}</span>
      )}
    </Fact>
    <Fact name={words.columns.created}>
      <Time at={change.created_at} exact />
    </Fact>
    <Fact name={words.columns.replays}>{change.replays > 0 && change.replays}</Fact>
    <Fact name={words.columns.next}>{change.next_replay_at !== null && <Time at={change.next_replay_at} exact />}</Fact>
    <Fact name={words.taken}>{change.replayed_at !== null && <Time at={change.replayed_at} exact />}</Fact>
    <Fact name={text.message.id}>
      <CopyId id={change.id} />
    </Fact>
  </Facts>
);

/** JSON as such, and anything else as the text that it is. */
function Raw({ callback }: { callback: QuarantinedCallback["callback"] }) {
  if (callback === null) return <p className="muted">{words.gone}</p>;
  const { body, encoding } = callback;
  if (body === "") return <p className="muted">{words.nothing}</p>;
  const json = encoding === "utf-8" ? jsonIn(body) : undefined;
  if (json !== undefined) return <Json value={json} length={body.length} label={words.callback} />;
  return (
    <>
      {encoding === "base64" && <p className="muted">{words.bytes}</p>}
      <div className={styles["raw"]}>
        <CopyButton value={body} label={text.copy.plain} />
        <pre tabIndex={0} role="region" aria-label={words.callback}>
          {body}
        </pre>
      </div>
    </>
  );
}

const Json = ({ length, ...shown }: { value: unknown; length: number; label: string }) => (
  <JsonView {...shown} {...(length > SHORT ? {} : { openDepth: DEEP })} />
);

function jsonIn(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
