import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import type { Conversation } from "@waypost/sdk";
import { type KeyboardEvent, type SubmitEvent, useEffect, useRef, useState } from "react";
import { waypost } from "../../api/client.ts";
import { KEYS } from "../../api/queries/keys.ts";
import { ActionButton, ActionLink } from "../../parts/Action.tsx";
import controls from "../../parts/controls.module.css";
import { Problem } from "../../parts/Problem.tsx";
import { paths, REPLY } from "../../paths.ts";
import { text } from "../../text/text.ts";
import styles from "./thread.module.css";

const words = text.conversations;
const SCOPE = "messages:write";
const LONGEST = 4_096;

/** Free text while the window is open, else the way to a template. */
export function Reply({ conversation }: { conversation: Conversation }) {
  const { contact_id: contact, phone_number_id: number, window } = conversation;
  if (!window.open)
    return (
      <div className={styles["reply"]}>
        <p className="muted">{words.closed}</p>
        <ActionLink scope={SCOPE} look="primary" {...paths.compose({ to: contact, from: number })}>
          {words.sendTemplate}
        </ActionLink>
      </div>
    );
  return <Text contact={contact} number={number} />;
}

function Text({ contact, number }: { contact: string; number: string }) {
  const queryClient = useQueryClient();
  // What was begun is there again when one comes back from another conversation, and goes with the session.
  const place = ["draft", contact, number];
  const [body, setBody] = useState(() => queryClient.getQueryData<string>(place) ?? "");
  const [key, setKey] = useState(() => crypto.randomUUID());
  const write = (next: string): void => {
    setBody(next);
    queryClient.setQueryData(place, next);
  };
  const send = useMutation({
    mutationFn: (sent: string) =>
      waypost.messages.send({ to: contact, from: number, type: "text", text: { body: sent } }, { idempotencyKey: key }),
    onSuccess: () => {
      setKey(crypto.randomUUID());
      write("");
      return queryClient.invalidateQueries({ queryKey: KEYS.conversations });
    },
  });
  const box = useRef<HTMLTextAreaElement>(null);
  const isAsked = useLocation({ select: ({ hash }) => hash === REPLY });
  useEffect(() => {
    if (isAsked) box.current?.focus();
  }, [isAsked]);
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (body.trim() !== "" && !send.isPending) send.mutate(body);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    // While an input method composes, Enter chooses a word.
    if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    event.currentTarget.form?.requestSubmit();
  };
  return (
    <form className={styles["reply"]} onSubmit={submit}>
      {send.error !== null && <Problem error={send.error} />}
      <div className={styles["writing"]}>
        <textarea
          ref={box}
          id={REPLY}
          rows={2}
          maxLength={LONGEST}
          dir="auto"
          className={controls["input"]}
          aria-label={words.reply}
          placeholder={words.reply}
          aria-describedby="reply-hint"
          value={body}
          onChange={({ currentTarget }) => write(currentTarget.value)}
          onKeyDown={onKeyDown}
        />
        <ActionButton type="submit" scope={SCOPE} look="primary" disabled={send.isPending || body.trim() === ""}>
          {send.isPending ? words.sending : words.send}
        </ActionButton>
      </div>
      <p id="reply-hint" className={styles["hint"]}>
        {words.replyHint}
      </p>
    </form>
  );
}
