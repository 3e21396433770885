import { useQueryClient } from "@tanstack/react-query";
import type { MessageWithHistory } from "@waypost/sdk";
import { waypost } from "../../api/client.ts";
import { KEYS } from "../../api/queries/keys.ts";
import { messageQuery } from "../../api/queries/messages.ts";
import { Confirm } from "../../parts/Confirm.tsx";
import { text } from "../../text/text.ts";

/** Cancels a message that was not sent yet; nothing for another. */
export function CancelButton({ message: { id, status } }: { message: MessageWithHistory }) {
  const queryClient = useQueryClient();
  const cancel = async (): Promise<void> => {
    queryClient.setQueryData(messageQuery(id).queryKey, await waypost.messages.cancel(id));
    void queryClient.invalidateQueries({ queryKey: KEYS.messageList });
  };
  if (status !== "scheduled" && status !== "queued") return null;
  return (
    <Confirm
      action={text.message.cancel}
      busy={text.message.canceling}
      title={text.message.cancelAsk}
      effect={text.message.cancelEffect}
      keep={text.message.keep}
      scope="messages:write"
      run={cancel}
    />
  );
}
