import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Outlet, useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { watchSession } from "../api/client.ts";
import { liveness, startLive } from "../api/live.ts";
import { onTabNews } from "../api/session.ts";
import { openWorks } from "../api/works.ts";
import { useStore } from "../store.ts";
import { text } from "../text/text.ts";
import { Header } from "./Header.tsx";
import { Keys } from "./keys/Keys.tsx";
import { Navigation } from "./Navigation.tsx";
import { OperatorBar } from "./OperatorBar.tsx";
import { SessionEnd } from "./SessionEnd.tsx";
import styles from "./shell.module.css";

const route = getRouteApi("/app");

/** Frame of every page behind the sign-in. */
export function Shell() {
  const { session } = route.useRouteContext();
  const queryClient = useQueryClient();
  const router = useRouter();
  const isOffline = useStore(liveness) === "off";
  useEffect(() => {
    const reload = (): void => {
      queryClient.clear();
      location.reload();
    };
    openWorks(session.id);
    watchSession(session.id, reload);
    return onTabNews(session.id, reload);
  }, [session.id, queryClient, router]);
  const isInWorkspace = session.workspace !== null;
  useEffect(
    () => (isInWorkspace ? startLive(queryClient, session.id) : undefined),
    [isInWorkspace, queryClient, session.id],
  );
  return (
    <div className={styles["shell"]}>
      <a className={styles["skip"]} href="#main">
        {text.skip}
      </a>
      {session.kind === "operator" && session.workspace !== null && <OperatorBar session={session} />}
      <SessionEnd />
      {isOffline && (
        <p role="status" className={styles["offline"]}>
          {text.header.offline}
        </p>
      )}
      <div className={styles["columns"]}>
        <Navigation session={session} />
        <div className={styles["page"]}>
          <Header session={session} />
          <main id="main" tabIndex={-1} className={styles["main"]}>
            <Outlet />
          </main>
        </div>
      </div>
      <Keys session={session} />
    </div>
  );
}
