import type { ReactNode } from "react";
import controls from "./controls.module.css";
import styles from "./new-rows.module.css";

/** Says over the top of a list that it has new rows, and takes no room: what is below it stays where it is. `show` brings them in. */
export function NewRows({ show, children }: { show(): void; children: ReactNode }) {
  return (
    <p role="status" className={styles["place"]}>
      <button type="button" className={controls["button"]} onClick={show}>
        {children}
      </button>
    </p>
  );
}
