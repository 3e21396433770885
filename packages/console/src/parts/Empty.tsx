import type { ReactNode } from "react";
import styles from "./empty.module.css";

/** A place without anything in it: what belongs here, and how it comes here. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className={styles["empty"]}>
      <h2>{title}</h2>
      {children}
    </div>
  );
}
