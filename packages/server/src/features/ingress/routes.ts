import { idParams } from "../../http/ids.ts";
import { type AnyRoute, route } from "../../http/route.ts";
import { hintIngest, listQuarantine, replayAllWithReason, replayQuarantined } from "./quarantine.ts";
import { QuarantinedChange, QuarantineList, QuarantineQuery, QuarantineReplay, QuarantineReplayed } from "./schema.ts";

const operator = { tag: "Operator", auth: "operator" } as const;

export const ingressRoutes = (): AnyRoute[] => [
  route({
    ...operator,
    kind: "read",
    method: "GET",
    path: "/admin/v1/quarantine",
    summary: "List what callbacks said and was set aside",
    description: "What still waits, of all workspaces and of nobody's.",
    action: "quarantine.list",
    query: QuarantineQuery,
    status: 200,
    response: QuarantineList,
    verb: listQuarantine,
  }),
  route({
    ...operator,
    kind: "write",
    method: "POST",
    path: "/admin/v1/quarantine/{id}/replay",
    summary: "Parse a callback again",
    description: "All of the callback that this was part of; what was applied already is not applied twice.",
    action: "quarantine.replay",
    params: idParams("qrn"),
    status: 202,
    response: QuarantinedChange,
    errors: ["conflict"],
    verb: replayQuarantined,
    after: hintIngest,
  }),
  route({
    ...operator,
    kind: "write",
    method: "POST",
    path: "/admin/v1/quarantine/replay",
    operationId: "quarantine.replayAll",
    summary: "Parse all callbacks again that wait for one reason",
    description: "The oldest first, up to 1,000 in a call.",
    action: "quarantine.replay",
    body: QuarantineReplay,
    status: 202,
    response: QuarantineReplayed,
    verb: replayAllWithReason,
    after: hintIngest,
  }),
];
