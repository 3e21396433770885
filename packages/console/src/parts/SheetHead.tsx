import { type ReactNode, useEffect, useRef } from "react";
import type { PageHeadProps } from "./Page.tsx";
import styles from "./page.module.css";

/** Head of what stands beside a list, in place of a page's; it has the focus once another one is shown. */
export function SheetHead({ title, lead, children }: PageHeadProps): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus({ preventScroll: true }), [title]);
  return (
    <div className={styles["head"]}>
      <div>
        <h2 ref={heading} tabIndex={-1} className={styles["sheetTitle"]}>
          {title}
        </h2>
        {lead !== undefined && <div className="muted">{lead}</div>}
      </div>
      {children !== undefined && <div className={styles["actions"]}>{children}</div>}
    </div>
  );
}
