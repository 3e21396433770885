import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { ApiError, type NewReplay, type Replay, type WebhookEndpoint } from "@waypost/sdk";
import { useState } from "react";
import { waypost } from "../../api/client.ts";
import { replayQuery } from "../../api/queries/webhooks.ts";
import { begun, seen } from "../../api/works.ts";
import { ActionButton } from "../../parts/Action.tsx";
import { CopyId } from "../../parts/Copy.tsx";
import controls from "../../parts/controls.module.css";
import { Empty } from "../../parts/Empty.tsx";
import { EventKinds } from "../../parts/EventKind.tsx";
import { Fact, Facts } from "../../parts/Facts.tsx";
import { Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { ServerText } from "../../parts/ServerText.tsx";
import { Status } from "../../parts/Status.tsx";
import { Time } from "../../parts/Time.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import styles from "./endpoint.module.css";

const route = getRouteApi("/app/workspace/endpoints/$id");
const words = text.replay;

/** A replay by its id in the address, so that a reload and another person see it as it goes on. */
export function WatchedReplay({ endpoint: { id: endpointId, format }, id }: { endpoint: WebhookEndpoint; id: string }) {
  const { data, error, refetch } = useQuery(replayQuery(endpointId, id));
  if (data === undefined) {
    if (error === null) return <Skeleton label={text.loading} rows={4} />;
    if (error instanceof ApiError && error.status === 404)
      return (
        <Empty title={words.notFound}>
          <Another endpointId={endpointId} />
        </Empty>
      );
    return <Problem error={error} retry={() => void refetch()} />;
  }
  return (
    <div className={styles["narrow"]}>
      {error !== null && <Problem error={error} retry={() => void refetch()} />}
      {data.dry_run ? <Counted replay={data} isProvider={format === "provider"} /> : <Progress replay={data} />}
      <Facts>
        <Fact name={words.after}>
          <Time at={data.created_after} exact />
        </Fact>
        <Fact name={words.before}>
          <Time at={data.created_before} exact />
        </Fact>
        <Fact name={words.which}>{words.only[data.only]}</Fact>
        <Fact name={words.events}>
          <EventKinds kinds={data.events} all={text.endpoints.allEvents} />
        </Fact>
        <Fact name={text.message.id}>
          <CopyId id={data.id} />
        </Fact>
      </Facts>
      <Another endpointId={endpointId} />
    </div>
  );
}

const Another = ({ endpointId }: { endpointId: string }) => (
  <Link {...paths.endpoint(endpointId, { tab: "replays" })} className={controls["button"]}>
    {words.another}
  </Link>
);

/** What a dry run found, and the button that sends it. */
function Counted({ replay, isProvider }: { replay: Replay; isProvider: boolean }) {
  const { webhook_endpoint_id: endpointId, progress, status } = replay;
  const navigate = route.useNavigate();
  const [key] = useState(() => crypto.randomUUID());
  const start = useMutation({
    mutationFn: () =>
      waypost.webhookEndpoints.createReplay(endpointId, again(replay, isProvider), { idempotencyKey: key }),
    onSuccess: ({ id }) => {
      seen(replay.id); // its number is on the button
      begun({ kind: "replay", id, endpointId });
      void navigate(paths.endpoint(endpointId, { tab: "replays", replay: id }));
    },
  });
  const isEnded = status === "completed";
  return (
    <section className={styles["replay"]} aria-labelledby="replay-title" aria-live="polite">
      <h2 id="replay-title">{isEnded ? words.found(progress.matched) : words.countingSoFar(progress.matched)}</h2>
      {replay.error !== null && (
        <p>
          <ServerText>{replay.error.detail}</ServerText>
        </p>
      )}
      {isEnded && progress.matched > 0 && (
        <ActionButton scope="webhooks:write" look="primary" disabled={start.isPending} onClick={() => start.mutate()}>
          {start.isPending ? words.starting : words.start(progress.matched)}
        </ActionButton>
      )}
      {start.error !== null && <Problem error={start.error} />}
    </section>
  );
}

/** The same events, to be sent. In the provider's format an endpoint has kinds that cannot be named: all are those. */
const again = ({ created_after, created_before, events, only }: Replay, isProvider: boolean): NewReplay => ({
  created_after,
  created_before,
  events: isProvider ? ["*"] : (events as NonNullable<NewReplay["events"]>), // as they were taken
  only,
});

function Progress({ replay: { status, progress, error, created_at: since } }: { replay: Replay }) {
  const { matched, scheduled, succeeded, failed } = progress;
  const done = succeeded + failed;
  return (
    <section className={styles["replay"]} aria-labelledby="replay-title">
      <h2 id="replay-title">
        {words.title} <Status state={status} />
      </h2>
      <progress className={styles["bar"]} aria-labelledby="replay-title" max={Math.max(1, matched)} value={done} />
      <p role="status">{words.progress({ matched, scheduled, succeeded, failed })}</p>
      <p className="muted">
        {words.since} <Time at={since} />
      </p>
      {error !== null && <p className={styles["error"]}>{error.detail}</p>}
    </section>
  );
}
