import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Delivery } from "@waypost/sdk";
import { deliveryQuery, endpointsQuery } from "../../api/queries/webhooks.ts";
import { CopyId } from "../../parts/Copy.tsx";
import { CopyCurl } from "../../parts/CopyCurl.tsx";
import { nameOfKind } from "../../parts/EventKind.tsx";
import { Fact, Facts } from "../../parts/Facts.tsx";
import { Loaded } from "../../parts/Loaded.tsx";
import { PageHead } from "../../parts/Page.tsx";
import { Status } from "../../parts/Status.tsx";
import { Time } from "../../parts/Time.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import { Attempt } from "./Attempt.tsx";
import styles from "./delivery.module.css";
import { RetryButton } from "./RetryButton.tsx";
import { messageIn } from "./request.ts";
import { Verification } from "./Verification.tsx";

const words = text.delivery;

/** One delivery: each attempt with what was posted and what came back; on a page of its own or beside a list. */
export function DeliveryView({ id }: { id: string }) {
  return (
    <Loaded query={useQuery(deliveryQuery(id))} id={id} words={words}>
      {(delivery) => <Shown delivery={delivery} />}
    </Loaded>
  );
}

function Shown({ delivery }: { delivery: Delivery }) {
  const { id, kind, status, attempts, webhook_endpoint_id: endpointId } = delivery;
  const { data: endpoints } = useQuery(endpointsQuery);
  const url = endpoints?.find((one) => one.id === endpointId)?.url ?? endpointId;
  const message = messageIn(attempts.at(-1)?.request?.body ?? null);
  const newestFirst = [...attempts].reverse();
  return (
    <div className={styles["whole"]}>
      <PageHead title={words.title(nameOfKind(kind))} lead={<Status state={status} />}>
        <RetryButton delivery={delivery} />
        <CopyCurl path={`v1/deliveries/${id}`} />
      </PageHead>
      <div className={styles["columns"]}>
        <section className={styles["attempts"]} aria-labelledby="attempts-title">
          <h2 id="attempts-title">{words.attempts}</h2>
          {attempts.length === 0 && <p className="muted">{words.noAttempts}</p>}
          {newestFirst.map((attempt, index) => (
            <Attempt key={attempt.n} attempt={attempt} url={url} isOpen={index === 0} />
          ))}
          <Verification />
        </section>
        <aside aria-label={words.facts}>
          <Facts>
            <Fact name={words.endpoint}>
              <Link {...paths.endpoint(endpointId)}>
                <bdi>{url}</bdi>
              </Link>
            </Fact>
            <Fact name={words.message}>
              {message !== null && (
                <Link {...paths.message(message)} className="mono">
                  {message}
                </Link>
              )}
            </Fact>
            <Fact name={text.deliveries.kind}>
              <code>{kind}</code>
            </Fact>
            <Fact name={words.event}>
              <CopyId id={delivery.event_id} />
            </Fact>
            <Fact name={text.message.id}>
              <CopyId id={id} />
            </Fact>
            <Fact name={text.message.created}>
              <Time at={delivery.created_at} exact />
            </Fact>
            <Fact name={words.completed}>{delivery.completed_at && <Time at={delivery.completed_at} exact />}</Fact>
            <Fact name={words.next}>{delivery.next_attempt_at && <Time at={delivery.next_attempt_at} />}</Fact>
          </Facts>
        </aside>
      </div>
    </div>
  );
}
