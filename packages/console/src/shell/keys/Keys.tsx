import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { lazy, Suspense, useEffect } from "react";
import type { Session } from "../../api/session.ts";
import { paths } from "../../paths.ts";
import { shortcuts } from "../../preferences.ts";
import { useStore } from "../../store.ts";
import { entriesOf } from "../entries.ts";
import { type KeyAction, KeyReader } from "./key-reader.ts";
import { overlay } from "./overlay.ts";

const Palette = lazy(() => import("./Palette.tsx").then(({ Palette: component }) => ({ default: component })));
const KeyHelp = lazy(() => import("./KeyHelp.tsx").then(({ KeyHelp: component }) => ({ default: component })));

/** Listens to the keyboard on every page: Ctrl-K or ⌘K always, single keys unless they are switched off or a person is typing. */
export function Keys({ session }: { session: Session }) {
  const open = useStore(overlay);
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  useEffect(() => {
    const reader = new KeyReader();
    const entries = entriesOf(session);
    const act = (action: KeyAction): void => {
      if (action.kind === "help") overlay.set("help");
      else if (action.kind === "filter") document.querySelector<HTMLElement>("main input[type=search]")?.focus();
      else if (action.kind === "refresh") void queryClient.invalidateQueries();
      else if (action.kind === "compose") {
        if (session.workspace !== null) void navigate(paths.compose());
      } else if (action.kind === "go") {
        const entry = entries.find(({ letter }) => letter === action.letter);
        if (entry !== undefined) void navigate(entry.link);
      } else moveRow(action.kind === "next" ? 1 : -1);
    };
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey) {
        event.preventDefault();
        overlay.set("palette");
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || shortcuts.get() === "off") return;
      if (isTyping(event.target) || document.querySelector("dialog[open], [role$=dialog]") !== null) return;
      const action = reader.read(event.key, event.timeStamp);
      if (action === null) return;
      event.preventDefault();
      act(action);
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [session, navigate, queryClient]);
  const close = (): void => overlay.set(null);
  return (
    <Suspense>
      {open === "palette" && <Palette session={session} onClose={close} />}
      {open === "help" && <KeyHelp session={session} onClose={close} />}
    </Suspense>
  );
}

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches("input, textarea, select, [role=menu] *"));

/** Moves the focus to the link of the next row of the page's table, or of the one before; to its first button where it leads nowhere. */
function moveRow(by: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>("main tbody tr")].flatMap(
    (row) => row.querySelector<HTMLElement>("a") ?? row.querySelector<HTMLElement>("button:enabled") ?? [],
  );
  const at = rows.findIndex((first) => first.closest("tr")?.contains(document.activeElement));
  rows[at === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, at + by))]?.focus();
}
