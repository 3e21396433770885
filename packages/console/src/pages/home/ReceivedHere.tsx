import { useQuery } from "@tanstack/react-query";
import { receivedQuery } from "../../api/queries/first-steps.ts";
import { Time } from "../../parts/Time.tsx";
import { text } from "../../text/text.ts";
import styles from "./first-steps.module.css";

/** What came last to the gateway's own receiver, as any receiver gets it; nothing before something came. */
export function ReceivedHere() {
  const [last] = useQuery(receivedQuery).data ?? [];
  if (last === undefined) return null;
  const lines = Object.entries(last.headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <details className={styles["received"]}>
      <summary>
        {text.firstSteps.received(last.headers["x-service-event"] ?? "")} <Time at={last.received_at} />
      </summary>
      <pre tabIndex={0}>{`${lines.join("\n")}\n\n${last.body}`}</pre>
    </details>
  );
}
