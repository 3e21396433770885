import { useMutation } from "@tanstack/react-query";
import { CircleUserRound } from "lucide-react";
import type { RefObject } from "react";
import type { Session } from "../api/session.ts";
import { Problem } from "../parts/Problem.tsx";
import { text } from "../text/text.ts";
import styles from "./header.module.css";
import { useSignOut } from "./sign-out.ts";

const loadMenu = () => import("./AccountMenu.tsx");
/** Ahead of the press, which says what is wrong where it fails. */
const loadAhead = (): void => void loadMenu().catch(() => undefined);

/**
 * Who one is, and the menu of that. What draws menus is a fifth of all scripts, and few visits open this one: until then a button of the same
 * look stands in its place. `container`: where the menu is put.
 */
export function Account({ session, container }: { session: Session; container: RefObject<HTMLElement | null> }) {
  const name = session.key?.name ?? text.header.operator;
  const label = text.header.account(name);
  const shown = (
    <>
      <CircleUserRound size={18} aria-hidden />
      <span dir="auto">{name}</span>
    </>
  );
  const signOut = useMutation({ mutationFn: useSignOut(session), networkMode: "always" });
  const menu = useMutation({ mutationFn: loadMenu, networkMode: "always" });
  const error = menu.error ?? signOut.error;
  return (
    <>
      {menu.data === undefined ? (
        <button
          type="button"
          className={styles["account"]}
          aria-label={label}
          aria-haspopup="menu"
          aria-expanded={false}
          onPointerEnter={loadAhead}
          onFocus={loadAhead}
          onClick={() => menu.mutate()}
        >
          {shown}
        </button>
      ) : (
        <menu.data.AccountMenu
          label={label}
          container={container}
          onOpen={signOut.reset}
          onSignOut={() => signOut.mutate()}
        >
          {shown}
        </menu.data.AccountMenu>
      )}
      {error !== null && (
        <div className={styles["below"]}>
          <Problem error={error} />
        </div>
      )}
    </>
  );
}
