import { NIL_WORKSPACE } from "../../lib/ids.ts";
import { ANONYMOUS } from "../caller.ts";
import type { RawRequest } from "../route.ts";

/** A request as a raw route sees it, for tests that call a route without HTTP. */
export const rawRequest = (given: Partial<RawRequest>): RawRequest => ({
  method: "GET",
  headers: {},
  params: {},
  query: {},
  body: Buffer.alloc(0),
  socket: { localAddress: "127.0.0.1", localPort: 8080 },
  ip: "127.0.0.1",
  requestId: "here",
  actor: ANONYMOUS,
  workspaceId: NIL_WORKSPACE,
  audit: { method: given.method ?? "GET", path: "/", ip: "127.0.0.1", userAgent: null },
  refused: () => null,
  ...given,
});
