import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { Template } from "@waypost/sdk";
import { categoryChangeQuery } from "../../api/queries/templates.ts";
import { can } from "../../api/session.ts";
import { exactTime } from "../../parts/time-format.ts";
import { zone } from "../../preferences.ts";
import { useStore } from "../../store.ts";
import { text } from "../../text/text.ts";
import styles from "./template.module.css";

const app = getRouteApi("/app");
const words = text.template;
const nameOf = (category: string): string => text.templates.categories[category] ?? category;

/** Says that the provider has put it into another category than it was submitted in, or is about to. */
export function Drift({ template: { id, category } }: { template: Template }) {
  const { session } = app.useRouteContext();
  const shown = useStore(zone);
  const { data: change } = useQuery({ ...categoryChangeQuery(id), enabled: can(session, "webhooks:read") });
  if (!change || change.previous === null || change.previous === change.current) return null;
  const { previous, current, effective_at: at } = change;
  const isComing = category !== current;
  // It was changed once more since then, without an event that is kept.
  if (isComing && at === null) return null;
  const [from, to] = [nameOf(previous), nameOf(current)];
  return (
    <div className={styles["banner"]} data-kind="warn">
      <p className={styles["title"]}>
        {isComing && at !== null ? words.drifts(from, to, exactTime(Date.parse(at), shown)) : words.drifted(from, to)}
      </p>
      {current === "marketing" && <p>{words.driftHelp}</p>}
    </div>
  );
}
