import { Link, type LinkProps, Navigate, useNavigate } from "@tanstack/react-router";
import { ChevronDown, ChevronUp, X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { shortcuts } from "../preferences.ts";
import { text } from "../text/text.ts";
import styles from "./beside.module.css";
import controls from "./controls.module.css";
import { HeadOfPlace, type PageHeadProps, Skeleton } from "./Page.tsx";
import { Sheet } from "./Sheet.tsx";
import { SheetHead } from "./SheetHead.tsx";
import { useMedia, WIDE } from "./use-media.ts";

/** How the rows of a list open. */
export type OpenRow = {
  /** Key of the one that is open. */
  open: string | null;
  linkTo(key: string): LinkProps;
  close(): void;
  /** Closes what is no more, and whose row goes too. */
  leave(): Promise<void>;
  /** Its own page, if it has one. */
  page: ((key: string) => LinkProps) | undefined;
  isWide: boolean;
};

/**
 * `open`: key of the row that is open, as the address has it. `list`: the list with that row open, or with none. `page`: the row's own page,
 * whose address it has beside the list too; without room for both it is shown alone. What has no page has the address of its list. Both say
 * what is open of the detail, where the address has that too.
 */
export function useOpenRow({
  open = null,
  list,
  page,
}: {
  open: string | null | undefined;
  list(open?: string): LinkProps;
  page?: (key: string) => LinkProps;
}): OpenRow {
  const navigate = useNavigate();
  const isWide = useMedia(WIDE);
  const isGone = useRef(false);
  useClosed(open, (key) => {
    const isLost = document.activeElement === document.body;
    if (isLost && isGone.current) document.querySelector<HTMLElement>("h1")?.focus({ preventScroll: true });
    else if (isLost) focusRow(key);
    isGone.current = false;
  });
  return {
    open,
    page,
    isWide,
    linkTo: (key) => {
      if (page === undefined) return { ...list(key), resetScroll: false };
      return isWide ? under(list(key), page(key)) : page(key);
    },
    close: () => {
      if (open !== null) focusRow(open);
      void navigate({ ...list(), resetScroll: false });
    },
    leave: () => {
      isGone.current = true;
      return navigate({ ...list(), resetScroll: false });
    },
  };
}

/** Calls back once what was open is closed: what had the focus in it is no more. */
function useClosed(open: string | null, onClosed: (key: string) => void): void {
  const before = useRef(open);
  useEffect(() => {
    const key = before.current;
    before.current = open;
    if (key !== null && open === null) onClosed(key);
  });
}

/** A list with a row open, under the address of the row's own page. */
export const under = (list: LinkProps, page: LinkProps): LinkProps => ({ ...list, mask: page, resetScroll: false });

/** Gives the focus to the link of a row: back to where its detail was opened. */
const focusRow = (key: string): void =>
  document
    .querySelector<HTMLElement>(`:is(a[data-key="${CSS.escape(key)}"], tr[data-key="${CSS.escape(key)}"] a)`)
    ?.focus();

type BesideProps = {
  row: OpenRow;
  /** Those of the rows that are shown, in their order. */
  keys: readonly string[];
  /** Of what has no page; a page has its own. */
  title?: string;
  /** Of the row that is open. */
  detail: ReactNode;
  children: ReactNode;
};

/**
 * A list with the detail of one of its rows beside it, or over it without room for both. While the focus is in either, `j` and `k` lead to
 * the row below and above, and Escape closes the detail.
 */
export function Beside({ row, keys, title, detail, children }: BesideProps) {
  const navigate = useNavigate();
  const { open, page, linkTo, close } = row;
  const isWide = useRoom(row);
  if (open !== null && page !== undefined && !isWide) return <Navigate {...page(open)} replace />;
  const neighbour = (step: 1 | -1): (() => void) | undefined => {
    const key = open === null ? undefined : keys[keys.indexOf(open) + step];
    return key === undefined ? undefined : () => void navigate({ ...linkTo(key), replace: true });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    if (open === null || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return;
    // What a dialog within the detail is asked comes here too, although it is drawn elsewhere.
    if (!(event.target instanceof HTMLElement) || !event.currentTarget.contains(event.target)) return;
    if (event.target.matches("input, textarea, select, [contenteditable]")) return;
    if (event.key === "Escape" && isWide) return close();
    if ((event.key !== "j" && event.key !== "k") || shortcuts.get() === "off") return;
    event.preventDefault(); // else the focus moves to another row
    neighbour(event.key === "j" ? 1 : -1)?.();
  };
  const shown = <Suspense fallback={<Skeleton label={text.loading} />}>{detail}</Suspense>;
  return (
    // What is clicked and takes no focus leaves it here, so that the keys go on working.
    <div className={styles["frame"]} data-open={open !== null && isWide} tabIndex={-1} onKeyDown={onKeyDown}>
      <div className={styles["list"]}>{children}</div>
      {open !== null && isWide && (
        <Detail key={open} row={row} previous={neighbour(-1)} next={neighbour(1)}>
          {title !== undefined && <SheetHead title={title} />}
          <HeadOfPlace value={drawHead}>{shown}</HeadOfPlace>
        </Detail>
      )}
      {open !== null && !isWide && (
        <Sheet title={title ?? open} onClose={close} onKeyDown={onKeyDown}>
          <div key={open}>{shown}</div>
        </Sheet>
      )}
    </div>
  );
}

/**
 * Whether there is room for the detail beside the list. What was opened there, and has a page, stays in its place when the window gets
 * narrower, alone as on its page: elsewhere it would begin again, without what was entered in it.
 */
function useRoom({ open, page, isWide }: OpenRow): boolean {
  const [placed, place] = useState<string | null>(null);
  const stays = isWide || placed === open ? open : null;
  if (stays !== placed) place(stays);
  return isWide || (page !== undefined && stays !== null);
}

const drawHead = (props: PageHeadProps): ReactNode => <SheetHead {...props} />;

type DetailProps = {
  row: OpenRow;
  previous: (() => void) | undefined;
  next: (() => void) | undefined;
  children: ReactNode;
};

/** With the ways out of it on top, which are there whatever becomes of the rest. */
function Detail({ row: { open, page, close }, previous, next, children }: DetailProps) {
  const section = useRef<HTMLElement>(null);
  // Until its head is there and has it, the focus is here: the keys work while it loads.
  useEffect(() => {
    if (!section.current?.contains(document.activeElement)) section.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section ref={section} tabIndex={-1} className={styles["detail"]}>
      <div className={styles["bar"]}>
        <button type="button" className={controls["quiet"]} {...named(text.keys.previous)} {...press(previous)}>
          <ChevronUp size={16} aria-hidden />
        </button>
        <button type="button" className={controls["quiet"]} {...named(text.keys.next)} {...press(next)}>
          <ChevronDown size={16} aria-hidden />
        </button>
        {page !== undefined && open !== null && (
          <Link {...page(open)} className={controls["quiet"]}>
            {text.table.openPage}
          </Link>
        )}
        <button type="button" className={controls["quiet"]} {...named(text.dialog.close)} onClick={close}>
          <X size={16} aria-hidden />
        </button>
      </div>
      <div className={styles["body"]}>{children}</div>
    </section>
  );
}

const named = (name: string) => ({ "aria-label": name, title: name });
const press = (act: (() => void) | undefined) => ({ disabled: act === undefined, onClick: act });
