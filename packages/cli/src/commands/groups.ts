import type { Group } from "./command.ts";

type LaterGroup = Pick<Group, "name" | "does"> & { load(): Promise<Group> };

const later = (name: string, does: string, load: () => Promise<{ group: Group }>): LaterGroup => ({
  name,
  does,
  load: async () => (await load()).group,
});

/** All groups of commands. Their commands are loaded when one of them runs, and for `waypost completion`. */
export const GROUPS: readonly LaterGroup[] = [
  later("workspace", "workspaces: list, create, show, rename, suspend, resume", () => import("./workspaces.ts")),
  later("key", "API keys: list, create, rotate, revoke", () => import("./keys.ts")),
  later("account", "business accounts: list, connect, show, disconnect, setup-link", () => import("./accounts.ts")),
  later("messages", "messages: list, show, history, cancel", () => import("./messages.ts")),
  later("templates", "templates: list, show, validate, submit", () => import("./templates.ts")),
  later("contacts", "contacts: list, show", () => import("./contacts.ts")),
  later("webhooks", "endpoints and deliveries: list, create, test, replay and more", () => import("./webhooks.ts")),
  later("events", "events: list, follow", () => import("./events.ts")),
  later("audit", "what was called, and what became of messages", () => import("./audit.ts")),
  later("quarantine", "quarantined callbacks: list, replay", () => import("./quarantine.ts")),
];
