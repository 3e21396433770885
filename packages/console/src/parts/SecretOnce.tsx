import { AlertDialog } from "@base-ui/react/alert-dialog";
import { useBlocker } from "@tanstack/react-router";
import { text } from "../text/text.ts";
import { Question } from "./Confirm.tsx";
import { CopyButton } from "./Copy.tsx";
import controls from "./controls.module.css";
import dialogs from "./dialog.module.css";

/** A secret that is shown this once: it goes away by the person's word alone that it is stored, and by nothing else. */
export function SecretOnce({
  title,
  help,
  secret,
  onStored,
}: Record<"title" | "help" | "secret", string> & { onStored(): void }) {
  useBlocker({ shouldBlockFn: () => false, enableBeforeUnload: true });
  return (
    <AlertDialog.Root open onOpenChange={(_, { cancel }) => cancel()}>
      <Question title={title} effect={help}>
        <div className={dialogs["secret"]}>
          <code tabIndex={0}>{secret}</code>
          <CopyButton className={controls["button"] ?? ""} value={secret} label={text.dialog.copySecret} />
        </div>
        <div className={dialogs["choices"]}>
          <button type="button" className={controls["primary"]} onClick={onStored}>
            {text.dialog.stored}
          </button>
        </div>
      </Question>
    </AlertDialog.Root>
  );
}
