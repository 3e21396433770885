import type { ReactNode } from "react";
import styles from "./shell.module.css";

/** Frame of what is shown without a session. */
export function Bare({ children }: { children: ReactNode }) {
  return (
    <main className={styles["bare"]}>
      <div>{children}</div>
    </main>
  );
}
