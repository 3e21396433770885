import { Link, type LinkProps } from "@tanstack/react-router";
import { BookOpen, Building2, Home, type LucideIcon, MessageSquareText, Smartphone } from "lucide-react";
import { addressOf } from "../api/client.ts";
import type { Session } from "../api/session.ts";
import { paths } from "../paths.ts";
import { text } from "../text/text.ts";
import styles from "./shell.module.css";

type Entry = { label: string; Sign: LucideIcon; link: LinkProps; isExact?: boolean };

const WORKSPACE: readonly Entry[] = [
  { label: text.nav.home, Sign: Home, link: paths.home(), isExact: true },
  { label: text.nav.messages, Sign: MessageSquareText, link: paths.messages() },
];
const OPERATOR: readonly Entry[] = [{ label: text.nav.workspaces, Sign: Building2, link: paths.workspaces() }];

/** The pages: beside the content, or below it on a phone. */
export function Navigation({ session }: { session: Session }) {
  const entries = [...(session.workspace === null ? [] : WORKSPACE), ...(session.kind === "operator" ? OPERATOR : [])];
  return (
    <nav aria-label={text.nav.label} className={styles["navigation"]}>
      <p className={styles["brand"]}>
        <img src={addressOf("console/icon.svg")} alt="" width="24" height="24" />
        <span>{text.product}</span>
      </p>
      <ul className={styles["entries"]}>
        {entries.map(({ label, Sign, link, isExact = false }) => (
          <li key={label}>
            <Link
              {...link}
              className={styles["entry"]}
              activeOptions={{ exact: isExact, includeSearch: false }}
              activeProps={{ "aria-current": "page" }}
            >
              <Sign size={18} aria-hidden />
              {label}
            </Link>
          </li>
        ))}
      </ul>
      <ul className={styles["outside"]}>
        {session.simulator_url !== null && (
          <li>
            <a className={styles["entry"]} href={session.simulator_url} target="_blank" rel="noreferrer">
              <Smartphone size={18} aria-hidden />
              {text.nav.phone}
            </a>
          </li>
        )}
        <li>
          <a className={styles["entry"]} href={addressOf("docs")} target="_blank" rel="noreferrer">
            <BookOpen size={18} aria-hidden />
            {text.nav.reference}
          </a>
        </li>
      </ul>
    </nav>
  );
}
