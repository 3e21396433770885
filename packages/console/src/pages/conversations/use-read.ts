import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { Conversation, ListedMessage } from "@waypost/sdk";
import { useEffect } from "react";
import { waypost } from "../../api/client.ts";
import { KEYS } from "../../api/queries/keys.ts";
import { can } from "../../api/session.ts";

const app = getRouteApi("/app");
/** A person who passes by has not read. */
const IN_VIEW_MS = 1_000;

/** Marks the last message of the person as read once it was in view for a second; what the provider refuses is not asked again. */
export function useRead(conversation: Conversation | null, messages: readonly ListedMessage[]): void {
  const { session } = app.useRouteContext();
  const queryClient = useQueryClient();
  const last = messages.findLast(({ direction }) => direction === "inbound")?.id ?? null;
  const isOurs = conversation !== null && conversation.unread_count > 0 && conversation.owner.role !== "other";
  const id = isOurs && can(session, "messages:write") ? last : null;
  useEffect(() => {
    if (id === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const wait = (): void => {
      clearTimeout(timer);
      if (document.visibilityState === "visible") timer = setTimeout(() => void read(), IN_VIEW_MS);
    };
    const read = (): Promise<void> =>
      waypost.messages
        .markRead(id)
        .then(() => queryClient.invalidateQueries({ queryKey: KEYS.conversations }))
        .catch(() => undefined); // it stays unread, as the list says
    wait();
    document.addEventListener("visibilitychange", wait);
    return () => {
      clearTimeout(timer);
      document.removeEventListener("visibilitychange", wait);
    };
  }, [id, queryClient]);
}
