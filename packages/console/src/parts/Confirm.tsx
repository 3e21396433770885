import { AlertDialog } from "@base-ui/react/alert-dialog";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { text } from "../text/text.ts";
import { ActionButton } from "./Action.tsx";
import controls from "./controls.module.css";
import dialogs from "./dialog.module.css";
import { Problem } from "./Problem.tsx";

export type ConfirmProps = {
  /** The button that asks, and the one that does it. */
  action: string;
  /** The latter while it is done. */
  busy: string;
  /** The question, with the thing by its name. */
  title: string;
  /** What follows, in numbers where there are any: "14 deliveries wait". */
  effect: ReactNode;
  scope: string;
  run(): Promise<unknown>;
  /** Leaves all as it is. */
  keep?: string;
  /** What must be typed first, where nothing brings back what is lost. */
  typed?: string;
  look?: "button" | "danger";
};

/** A button whose action is hard to undo: it asks first, and says in its place what did not work. */
export function Confirm({
  action,
  busy,
  title,
  effect,
  scope,
  run,
  keep = text.dialog.keep,
  typed,
  look,
}: ConfirmProps) {
  const [isOpen, setOpen] = useState(false);
  const [given, setGiven] = useState("");
  const doing = useMutation({ mutationFn: run, onSuccess: () => setOpen(false) });
  const change = (next: boolean): void => {
    if (next) doing.reset();
    setGiven("");
    setOpen(next);
  };
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={change}>
      <AlertDialog.Trigger render={<ActionButton scope={scope} look={look ?? "button"} />}>
        {action}
      </AlertDialog.Trigger>
      <Question title={title} effect={effect}>
        {typed !== undefined && (
          <label className={dialogs["typed"]}>
            {text.dialog.type(typed)}
            <input
              dir="auto"
              className={controls["input"]}
              autoComplete="off"
              value={given}
              onChange={(event) => setGiven(event.currentTarget.value)}
            />
          </label>
        )}
        {doing.error !== null && <Problem error={doing.error} />}
        <div className={dialogs["choices"]}>
          <AlertDialog.Close className={controls["button"]}>{keep}</AlertDialog.Close>
          <button
            type="button"
            className={controls["danger"]}
            disabled={doing.isPending || (typed !== undefined && given.trim() !== typed.trim())}
            onClick={() => doing.mutate()}
          >
            {doing.isPending ? busy : action}
          </button>
        </div>
      </Question>
    </AlertDialog.Root>
  );
}

/** What a question looks like, within an `AlertDialog.Root`. */
export function Question({ title, effect, children }: { title: string; effect: ReactNode; children: ReactNode }) {
  return (
    <AlertDialog.Portal>
      <AlertDialog.Backdrop className={dialogs["backdrop"]} />
      <AlertDialog.Popup className={dialogs["dialog"]}>
        <AlertDialog.Title>{title}</AlertDialog.Title>
        <AlertDialog.Description render={<div />}>{effect}</AlertDialog.Description>
        {children}
      </AlertDialog.Popup>
    </AlertDialog.Portal>
  );
}
