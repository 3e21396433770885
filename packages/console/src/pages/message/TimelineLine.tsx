import type { ReactNode } from "react";
import { StateSign } from "../../parts/Status.tsx";
import { signOf } from "../../parts/sign-of.ts";
import { Time } from "../../parts/Time.tsx";
import { span } from "../../parts/time-format.ts";
import { text } from "../../text/text.ts";
import styles from "./timeline.module.css";

const words = text.timeline;

type TimelineLineProps = {
  /** Whose colour the line has. */
  state: string;
  /** Whose sign it has, if that is another. */
  sign?: string;
  said: ReactNode;
  /** Milliseconds. */
  at: number;
  /** Since the line before; null for the first. */
  sinceMs?: number | null;
  by?: keyof typeof words.who;
  /** Beside its time. */
  beside?: ReactNode;
  children?: ReactNode;
};

/** A line of the story: its sign, what happened, when, and who said it. */
export function TimelineLine({
  state,
  sign = state,
  said,
  at,
  sinceMs = null,
  by,
  beside,
  children,
}: TimelineLineProps) {
  return (
    <li className={styles["step"]} data-badge={signOf(state).badge}>
      <span className={styles["sign"]}>
        <StateSign state={sign} />
      </span>
      <div className={styles["line"]}>
        <p className={styles["said"]}>{said}</p>
        <p className={styles["when"]}>
          <Time at={new Date(at).toISOString()} exact />
          {sinceMs !== null && <span>{words.after(span(sinceMs))}</span>}
          {by !== undefined && <span>{words.who[by]}</span>}
          {beside}
        </p>
        {children}
      </div>
    </li>
  );
}
