import type { ReactNode } from "react";
import styles from "./sections.module.css";

/** The sections of a page, one below the other. `width`: of lines that are read, of facts, or of tables, which take what there is. */
export const Sections = ({
  width = "whole",
  children,
}: {
  width?: "whole" | "lines" | "facts";
  children: ReactNode;
}) => (
  <div className={styles["sections"]} data-width={width}>
    {children}
  </div>
);
