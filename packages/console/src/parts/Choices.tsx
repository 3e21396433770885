import { Link, type LinkProps } from "@tanstack/react-router";
import styles from "./choices.module.css";

type ChoicesProps = {
  label: string;
  options: readonly { label: string; link: LinkProps }[];
  /** They are pages: what else an address has does not count. */
  byPath?: boolean;
};

/** Links of which one is where this page is, such as its range. */
export function Choices({ label, options, byPath = false }: ChoicesProps) {
  return (
    <nav aria-label={label} className={styles["choices"]}>
      {options.map(({ label: shown, link }) => (
        <Link
          key={shown}
          {...link}
          className={styles["choice"]}
          activeOptions={{ exact: true, includeSearch: !byPath }}
          activeProps={{ "aria-current": "page" }}
        >
          {shown}
        </Link>
      ))}
    </nav>
  );
}
