import { Search } from "lucide-react";
import { type ComponentType, lazy, type RefObject, Suspense, useRef } from "react";
import { liveness } from "../api/live.ts";
import type { Session } from "../api/session.ts";
import { works } from "../api/works.ts";
import { useStore } from "../store.ts";
import { text } from "../text/text.ts";
import { Account } from "./Account.tsx";
import styles from "./header.module.css";
import { overlay } from "./keys/overlay.ts";

/** Where its script does not load there is none: works go on without it, and their pages show them. */
const Tray = lazy(
  (): Promise<{ default: ComponentType<{ container: RefObject<HTMLElement | null> }> }> =>
    import("./tray/Tray.tsx").then(
      ({ Tray: component }) => ({ default: component }),
      () => ({ default: () => null }),
    ),
);

/** Where one is and who one is, over every page. */
export function Header({ session }: { session: Session }) {
  const live = useStore(liveness);
  const header = useRef<HTMLElement>(null);
  const hasWorks = useStore(works).length > 0;
  return (
    <header ref={header} className={styles["header"]}>
      <p className={styles["workspace"]}>{session.workspace?.name ?? text.header.operator}</p>
      {session.workspace !== null && (
        <p className={styles["live"]} data-state={live} title={text.header.liveMeans[live]} role="status">
          {text.header.live[live]}
        </p>
      )}
      <button
        type="button"
        className={styles["search"]}
        aria-label={text.keys.palette}
        title={text.keys.paletteKeys}
        onClick={() => overlay.set("palette")}
      >
        <Search size={18} aria-hidden />
        <span>{text.keys.go}</span>
      </button>
      {hasWorks && (
        <Suspense>
          <Tray container={header} />
        </Suspense>
      )}
      <Account session={session} container={header} />
    </header>
  );
}
