import { createContext, type ReactNode, useContext, useEffect, useRef } from "react";
import styles from "./page.module.css";

export type PageHeadProps = { title: string; lead?: ReactNode; children?: ReactNode };

/** Head of a page, or of what is shown in its place. */
export function PageHead(props: PageHeadProps) {
  const drawHead = useContext(HeadOfPlace);
  return drawHead(props);
}

/** Its title, which has the focus once the page is there, and what can be done. */
function OwnHead({ title, lead, children }: PageHeadProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Waypost`;
  }, [title]);
  useEffect(() => {
    // Not at the first page of a tab: the browser begins to read there by itself.
    if (hasBegun) heading.current?.focus({ preventScroll: true });
    hasBegun = true;
  }, []);
  return (
    <div className={styles["head"]}>
      <div>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {lead !== undefined && <div className="muted">{lead}</div>}
      </div>
      {children !== undefined && <div className={styles["actions"]}>{children}</div>}
    </div>
  );
}

let hasBegun = false;

/** What a head is drawn as: a page beside a list has no title of the window. */
export const HeadOfPlace = createContext((props: PageHeadProps): ReactNode => <OwnHead {...props} />);

/** What a page is drawn as while its data comes: of about the height of what follows. */
export function Skeleton({ rows = 8, label }: { rows?: number; label: string }) {
  return (
    <div role="status" className={styles["skeleton"]}>
      <span className="visually-hidden">{label}</span>
      {Array.from({ length: rows }, (_, index) => (
        <span key={index} aria-hidden />
      ))}
    </div>
  );
}
