import { Link, type LinkProps } from "@tanstack/react-router";
import styles from "./choices.module.css";

/** Links of which one is where this page is, such as its range. */
export function Choices({ label, options }: { label: string; options: readonly { label: string; link: LinkProps }[] }) {
  return (
    <nav aria-label={label} className={styles["choices"]}>
      {options.map(({ label: shown, link }) => (
        <Link
          key={shown}
          {...link}
          className={styles["choice"]}
          activeOptions={{ exact: true, includeSearch: true }}
          activeProps={{ "aria-current": "page" }}
        >
          {shown}
        </Link>
      ))}
    </nav>
  );
}
