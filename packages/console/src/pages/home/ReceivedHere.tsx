import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { receivedQuery } from "../../api/queries/first-steps.ts";
import { nameOfKind } from "../../parts/EventKind.tsx";
import { Skeleton } from "../../parts/Page.tsx";
import { Time } from "../../parts/Time.tsx";
import { text } from "../../text/text.ts";
import styles from "./first-steps.module.css";

const Verification = lazy(async () => ({ default: (await import("../delivery/Verification.tsx")).Verification }));

/**
 * What came last to the gateway's own receiver, as any receiver gets it, and how one verifies it; nothing before something came. `isOpen`:
 * as soon as it came.
 */
export function ReceivedHere({ isOpen }: { isOpen: boolean }) {
  const [isSeen, setSeen] = useState(false);
  const [last] = useQuery(receivedQuery).data ?? [];
  if (last === undefined) return null;
  const lines = Object.entries(last.headers).map(([name, value]) => `${name}: ${value}`);
  return (
    <details className={styles["received"]} open={isOpen} onToggle={({ currentTarget }) => setSeen(currentTarget.open)}>
      <summary>
        {text.firstSteps.received(nameOfKind(last.headers["x-service-event"] ?? ""))} <Time at={last.received_at} />
      </summary>
      <pre tabIndex={0} dir="ltr">{`${lines.join("\n")}\n\n${last.body}`}</pre>
      {isSeen && (
        <Suspense fallback={<Skeleton label={text.loading} rows={2} />}>
          <Verification isOpen />
        </Suspense>
      )}
    </details>
  );
}
