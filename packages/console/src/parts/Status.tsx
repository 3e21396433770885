import type { ReactNode } from "react";
import { text } from "../text/text.ts";
import { type Sign, signOf } from "./sign-of.ts";
import styles from "./status.module.css";

/** 16 × 16, drawn in the colour of the text. */
const DRAWN: Record<Sign, ReactNode> = {
  clock: (
    <>
      <circle cx="8" cy="8" r="5.5" />
      <path d="M8 5v3.2L10.2 10" />
    </>
  ),
  dots: <circle cx="8" cy="8" r="5.5" strokeDasharray="1.6 2.72" />,
  arc: <path d="M8 2.5A5.5 5.5 0 1 1 2.5 8" />,
  tick: <path d="m3 8.5 3.2 3.2L13 5" />,
  ticks: <path d="m1.5 8.6 2.9 3L9.6 5.2M7.6 11.2l.6.4 6-6.4" />,
  disc: (
    <>
      <circle cx="8" cy="8" r="7" fill="currentColor" stroke="none" />
      <path d="m3.2 8.4 2 2.1 3.4-4.2M7.6 10.2l.5.3 4.4-4.6" stroke="var(--disc, #fff)" strokeWidth="1.4" />
    </>
  ),
  speaker: <path d="M2.5 6.2v3.6h2.3L8 12.6V3.4L4.8 6.2zM10.6 5.6a3.4 3.4 0 0 1 0 4.8M12.6 3.8a6 6 0 0 1 0 8.4" />,
  question: <path d="M5.4 6a2.6 2.6 0 1 1 3.7 2.4c-.8.4-1.1.8-1.1 1.6M8 12.4v.2" strokeWidth="1.8" />,
  bars: <path d="M5.8 3.5v9M10.2 3.5v9" strokeWidth="2" />,
  flag: <path d="M4 14V2.6h7.6L9.8 5.4l1.8 2.8H4" />,
  zigzag: <path d="M9 2 4.5 8.6h3.4L7 14l4.5-6.6H8.1z" />,
  hand: <path d="M4.6 8.4V4.8m2.3 2.6V3.2m2.3 4.2V3.6m2.2 4.4V5.4m0 2.6c0 4-1.6 5.6-3.8 5.6S4.4 12.4 3 9.4" />,
  cross: <path d="m4 4 8 8M12 4l-8 8" strokeWidth="2" />,
  dash: <path d="M3.5 8h9" strokeWidth="2" />,
  "arrow-in": <path d="M12.5 3.5 4 12m0-6v6h6" />,
};

/** The sign of a state alone, for places where its name stands beside it. */
export function StateSign({ state }: { state: string }) {
  const { sign } = signOf(state);
  return (
    <svg className={styles["sign"]} viewBox="0 0 16 16" width="16" height="16" aria-hidden data-sign={sign}>
      {DRAWN[sign]}
    </svg>
  );
}

/** A state as sign and badge. */
export function Status({ state }: { state: string }) {
  const { badge } = signOf(state);
  return (
    <span className={`${styles["badge"]} ${styles[badge]}`}>
      <StateSign state={state} />
      {text.status[state] ?? state}
    </span>
  );
}
