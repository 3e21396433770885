import { Link, useMatchRoute } from "@tanstack/react-router";
import { BookOpen, Ellipsis, PanelLeft, Smartphone } from "lucide-react";
import { addressOf } from "../api/client.ts";
import type { Session } from "../api/session.ts";
import { applyLooks, sidebar } from "../preferences.ts";
import { useStore } from "../store.ts";
import { text } from "../text/text.ts";
import { entriesOf } from "./entries.ts";
import { overlay } from "./keys/overlay.ts";
import styles from "./navigation.module.css";

/** The pages: beside the content, or below it on a phone. */
export function Navigation({ session }: { session: Session }) {
  const isAt = useMatchRoute();
  const isNarrow = useStore(sidebar) === "narrow";
  const turn = isNarrow ? text.nav.wide : text.nav.narrow;
  const toggle = (): void => {
    sidebar.choose(isNarrow ? "wide" : "narrow");
    applyLooks();
  };
  return (
    <nav aria-label={text.nav.label} className={styles["navigation"]}>
      <p className={styles["brand"]}>
        <img src={addressOf("console/icon.svg")} alt="" width="24" height="24" />
        <span>{text.product}</span>
      </p>
      <ul className={styles["entries"]}>
        {entriesOf(session).map(
          ({ label, short = label, Sign, link, isExact = false, isMain = false, beneath = [] }) => (
            <li key={label} data-main={isMain}>
              <Link
                {...link}
                title={label} // where there is room for nothing but the sign
                className={styles["entry"]}
                activeOptions={{ exact: isExact, includeSearch: false }}
                activeProps={{ "aria-current": "page" }}
                aria-current={
                  beneath.some(({ link: { to } }) => to !== undefined && isAt({ to, fuzzy: true })) ? "page" : undefined
                }
              >
                <Sign size={18} aria-hidden />
                <span className={styles["wide"]}>{label}</span>
                <span className={styles["narrow"]}>{short}</span>
              </Link>
            </li>
          ),
        )}
        <li className={styles["more"]}>
          <button type="button" className={styles["entry"]} onClick={() => overlay.set("palette")}>
            <Ellipsis size={18} aria-hidden />
            {text.nav.more}
          </button>
        </li>
      </ul>
      <ul className={styles["outside"]}>
        {session.simulator_url !== null && (
          <li>
            <a
              title={text.nav.phone}
              className={styles["entry"]}
              href={session.simulator_url}
              target="_blank"
              rel="noreferrer"
            >
              <Smartphone size={18} aria-hidden />
              {text.nav.phone}
            </a>
          </li>
        )}
        <li>
          <a
            title={text.nav.reference}
            className={styles["entry"]}
            href={addressOf("docs")}
            target="_blank"
            rel="noreferrer"
          >
            <BookOpen size={18} aria-hidden />
            {text.nav.reference}
          </a>
        </li>
        <li>
          <button type="button" title={turn} className={styles["entry"]} onClick={toggle}>
            <PanelLeft className="mirrored" size={18} aria-hidden />
            {turn}
          </button>
        </li>
      </ul>
    </nav>
  );
}
