import styles from "./coded.module.css";

/** What people call a thing, and beside it what the API calls it; that alone where this version has no name for it (null). */
export function Coded({ name, code }: { name: string | null; code: string }) {
  if (name === null) return <code>{code}</code>;
  return (
    <span className={styles["coded"]}>
      <span>{name}</span> <code>{code}</code>
    </span>
  );
}
