import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { lastUse } from "../api/client.ts";
import { sessionQuery } from "../api/session.ts";
import { now } from "../parts/now.ts";
import { span } from "../parts/time-format.ts";
import { useStore } from "../store.ts";
import { text } from "../text/text.ts";
import { sessionEnding } from "./session-end.ts";
import styles from "./shell.module.css";

/** Warns ahead of the end of the session; where it would end for want of use, any click or key extends it. */
export function SessionEnd() {
  const queryClient = useQueryClient();
  const router = useRouter();
  const { data: session } = useQuery({ ...sessionQuery, enabled: false });
  const current = useStore(now);
  const expiresAt = session ? Date.parse(session.expires_at) : Number.POSITIVE_INFINITY;
  const ending = sessionEnding({ expiresAt, readAt: session?.readAt ?? 0, usedAt: lastUse(), now: current });
  useEffect(() => {
    const read = async (): Promise<void> => {
      const still = await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
      if (still === null) await router.invalidate();
    };
    // Without an answer it is asked again in a moment.
    const use = (): void => void read().catch(() => undefined);
    if (ending === "stale") use();
    if (ending !== "near") return;
    const end = new AbortController();
    for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, use, { once: true, signal: end.signal });
    return () => end.abort();
  }, [ending, current, queryClient, router]);
  if (ending !== "near" && ending !== "last") return null;
  return (
    <p role="status" className={styles["offline"]}>
      {text.header.ends(span(expiresAt - current))} {text.header[ending === "near" ? "extend" : "signInAgain"]}
    </p>
  );
}
