import type { ReactNode } from "react";
import styles from "./facts.module.css";

/** What there is to know of a thing, a line each; stands around `Fact`s. */
export const Facts = ({ children }: { children: ReactNode }) => <dl className={styles["facts"]}>{children}</dl>;

/** Nothing for what there is not. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (children === null || children === undefined || children === "" || children === false) return null;
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}
