import { Link, type LinkProps } from "@tanstack/react-router";
import type { ReactNode } from "react";
import styles from "./home.module.css";

type LineProps = {
  link: LinkProps;
  name: ReactNode;
  /** Of the whole, 0 to 1; null: not known. */
  share: number | null;
  tone: "good" | "warn" | "failed";
  children: ReactNode;
};

/** What there is of something, drawn and in words; its name leads to it. */
export function Line({ link, name, share, tone, children }: LineProps) {
  return (
    <li className={styles["line"]} data-tone={tone}>
      <Link {...link} className={styles["lineName"]}>
        {name}
      </Link>
      <svg viewBox="0 0 100 1" className={`${styles["gauge"]} mirrored`} aria-hidden preserveAspectRatio="none">
        {share !== null && <rect width={share * 100} height={1} />}
      </svg>
      <span className={styles["lineText"]}>{children}</span>
    </li>
  );
}
