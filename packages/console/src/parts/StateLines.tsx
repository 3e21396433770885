import type { ReactNode } from "react";
import { Status } from "./Status.tsx";
import styles from "./state-lines.module.css";

/** A list, or in their order, of things that are each in a state, such as checks and steps; stands around `StateLine`s. */
export function StateLines({ isOrdered = false, isBusy = false, children }: StateLinesProps) {
  const List = isOrdered ? "ol" : "ul";
  return (
    <List className={styles["lines"]} aria-busy={isBusy}>
      {children}
    </List>
  );
}

type StateLinesProps = { isOrdered?: boolean; isBusy?: boolean; children: ReactNode };
type StateLineProps = { name: string; state: string; end?: ReactNode; children?: ReactNode };

/** Its children say why it is so; `end` stands behind them. */
export const StateLine = ({ name, state, end, children }: StateLineProps) => (
  <li className={styles["line"]}>
    <span className={styles["name"]}>{name}</span>
    <span>
      <Status state={state} />
    </span>
    <div className={styles["detail"]}>{children}</div>
    <span className="muted">{end}</span>
  </li>
);
