import { AlertDialog } from "@base-ui/react/alert-dialog";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { MessageWithHistory } from "@waypost/sdk";
import { useState } from "react";
import { waypost } from "../../api/client.ts";
import { KEYS } from "../../api/queries/keys.ts";
import { messageQuery } from "../../api/queries/messages.ts";
import { can } from "../../api/session.ts";
import controls from "../../parts/controls.module.css";
import { Problem } from "../../parts/Problem.tsx";
import { text } from "../../text/text.ts";
import styles from "./message.module.css";

const app = getRouteApi("/app");
const SCOPE = "messages:write";

/** Cancels a message that was not sent yet; nothing for another. */
export function CancelButton({ message: { id, status } }: { message: MessageWithHistory }) {
  const { session } = app.useRouteContext();
  const queryClient = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const cancel = useMutation({
    mutationFn: () => waypost.messages.cancel(id),
    onSuccess: (message) => {
      queryClient.setQueryData(messageQuery(id).queryKey, message);
      void queryClient.invalidateQueries({ queryKey: KEYS.messageList });
      setOpen(false);
    },
  });
  if (status !== "scheduled" && status !== "queued") return null;
  const isAllowed = can(session, SCOPE);
  return (
    <AlertDialog.Root open={isOpen} onOpenChange={setOpen}>
      <AlertDialog.Trigger
        className={controls["button"]}
        disabled={!isAllowed}
        title={isAllowed ? undefined : text.problem.forbidden(SCOPE)}
      >
        {text.message.cancel}
      </AlertDialog.Trigger>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={styles["backdrop"]} />
        <AlertDialog.Popup className={styles["dialog"]}>
          <AlertDialog.Title>{text.message.cancelAsk}</AlertDialog.Title>
          <AlertDialog.Description>{text.message.cancelEffect}</AlertDialog.Description>
          {cancel.error !== null && <Problem error={cancel.error} />}
          <div className={styles["choices"]}>
            <AlertDialog.Close className={controls["button"]}>{text.message.keep}</AlertDialog.Close>
            <button
              type="button"
              className={controls["danger"]}
              disabled={cancel.isPending}
              onClick={() => cancel.mutate()}
            >
              {cancel.isPending ? text.message.canceling : text.message.cancel}
            </button>
          </div>
        </AlertDialog.Popup>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
