import { formatId } from "../../../lib/ids.ts";
import type { EventDeps } from "../events/event-body.ts";

// Apart from app.ts, because the child process of the tests needs these and must not load vitest.

/** Stands for the rendering of other features. */
export const testDeps: EventDeps = {
  renderMessage: (message, state) => ({
    id: formatId("msg", String(message["id"])),
    text: message["content"],
    rank: state["rank"],
    error: { code: "x" },
  }),
  renderContact: (contact) => ({ id: formatId("con", String(contact["id"])), name: contact["name"] }),
  renderResource: (kind, _workspace, resourceId, state) => ({ kind, resource: resourceId, ...state }),
};

export const TEST_ENV = {
  WAYPOST_OPERATOR_KEY: "operator-key-0123456789",
  PORT: "0",
  EGRESS_ALLOW_CIDRS: "127.0.0.0/8",
  API_RATE_LIMIT: "off",
};
