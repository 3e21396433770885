import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Conversation } from "@waypost/sdk";
import { useState } from "react";
import { waypost } from "../../api/client.ts";
import { KEYS } from "../../api/queries/keys.ts";
import { ActionButton } from "../../parts/Action.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { text } from "../../text/text.ts";
import styles from "./thread.module.css";

const words = text.conversations;

/** Who answers, where the provider has several responders for the number. */
export function Owner({
  conversation: { contact_id: contact, phone_number_id: number, owner },
}: {
  conversation: Conversation;
}) {
  const queryClient = useQueryClient();
  const [key, setKey] = useState(() => crypto.randomUUID());
  const control = useMutation({
    mutationFn: (action: "take" | "release") =>
      waypost.conversations.control(contact, { phone_number_id: number, action }, { idempotencyKey: key }),
    onSuccess: () => {
      setKey(crypto.randomUUID());
      return queryClient.invalidateQueries({ queryKey: KEYS.conversations });
    },
  });
  const action = owner.role === "other" ? "take" : owner.role === "self" && owner.since !== null ? "release" : null;
  if (action === null) return null;
  return (
    <div className={styles["owner"]}>
      <p className="muted">{action === "take" ? words.otherAnswers : words.weAnswer}</p>
      <ActionButton scope="messages:write" disabled={control.isPending} onClick={() => control.mutate(action)}>
        {words[action]}
      </ActionButton>
      {control.error !== null && <Problem error={control.error} />}
    </div>
  );
}
