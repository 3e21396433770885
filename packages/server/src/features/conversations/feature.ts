import type { Feature } from "../../feature.ts";
import { CONVERSATION_EVENTS } from "./events.ts";
import { conversationRoutes } from "./routes.ts";

const tags = { Conversations: "What was exchanged with each person, by phone number, as an inbox shows it." } as const;
declare module "../../http/declared.ts" {
  interface Tags extends Record<keyof typeof tags, true> {}
}

/** Conversations as an inbox needs them. Everything is read from messages, contacts and windows: accepting and callbacks write no more for it. */
export const conversations: Feature = {
  name: "conversations",
  tags,
  events: [CONVERSATION_EVENTS],
  build: (_app, { senders }) => ({ routes: conversationRoutes(senders) }),
};
