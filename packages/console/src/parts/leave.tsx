import { AlertDialog } from "@base-ui/react/alert-dialog";
import { useBlocker } from "@tanstack/react-router";
import { createContext } from "react";
import type { Store } from "../store.ts";
import { text } from "../text/text.ts";
import { Question } from "./Confirm.tsx";
import controls from "./controls.module.css";
import dialogs from "./dialog.module.css";

/** Whether a form has something that is not saved; a sheet shares it with the form in it. */
export const Unsaved = createContext<Store<boolean> | null>(null);

/** Asks before another page, or another site, takes the place of what is not saved. */
export function AskOnLeave({ unsaved }: { unsaved: Store<boolean> }) {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => unsaved.get(),
    enableBeforeUnload: () => unsaved.get(),
    withResolver: true,
  });
  return <LeaveQuestion isOpen={status === "blocked"} onStay={() => reset?.()} onLeave={() => proceed?.()} />;
}

export function LeaveQuestion({ isOpen, onStay, onLeave }: { isOpen: boolean; onStay(): void; onLeave(): void }) {
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={(next) => !next && onStay()}>
      <Question title={text.dialog.leave} effect={text.dialog.leaveEffect}>
        <div className={dialogs["choices"]}>
          <AlertDialog.Close className={controls["button"]}>{text.dialog.stay}</AlertDialog.Close>
          <button type="button" className={controls["danger"]} onClick={onLeave}>
            {text.dialog.discard}
          </button>
        </div>
      </Question>
    </AlertDialog.Root>
  );
}
