import { idParams } from "../../http/ids.ts";
import { type AnyRoute, route } from "../../http/route.ts";
import { getQuarantined, hintIngest, listQuarantine, replayAllWithReason, replayQuarantined } from "./quarantine.ts";
import {
  QuarantinedCallback,
  QuarantinedChange,
  QuarantineList,
  QuarantineQuery,
  QuarantineReplay,
  QuarantineReplayed,
} from "./schema.ts";

const OPERATOR = { tag: "Operator", auth: "operator" } as const;

export const INGRESS_ROUTES: readonly AnyRoute[] = [
  route({
    ...OPERATOR,
    kind: "read",
    method: "GET",
    path: "/admin/v1/quarantine",
    summary: "List quarantined callback changes",
    description: "The changes that have not been replayed, of all workspaces and of unknown accounts.",
    action: "quarantine.list",
    query: QuarantineQuery,
    status: 200,
    response: QuarantineList,
    verb: listQuarantine,
  }),
  route({
    ...OPERATOR,
    kind: "read",
    method: "GET",
    path: "/admin/v1/quarantine/{id}",
    summary: "Get a quarantined change with its callback",
    description:
      "The change, replayed or not, and the raw body that the provider posted, for as long as `callbacks` of the retention keeps it.",
    action: "quarantine.read",
    params: idParams("qrn"),
    status: 200,
    response: QuarantinedCallback,
    verb: getQuarantined,
  }),
  route({
    ...OPERATOR,
    kind: "write",
    method: "POST",
    path: "/admin/v1/quarantine/{id}/replay",
    summary: "Replay a quarantined change",
    description:
      "Parses the whole callback of this change again. Changes that were already applied are not applied twice.",
    action: "quarantine.replay",
    params: idParams("qrn"),
    status: 202,
    response: QuarantinedChange,
    errors: ["conflict"],
    verb: replayQuarantined,
    after: hintIngest,
  }),
  route({
    ...OPERATOR,
    kind: "write",
    method: "POST",
    path: "/admin/v1/quarantine/replay",
    operationId: "quarantine.replayAll",
    summary: "Replay all quarantined changes with one reason",
    description: "Replays the oldest changes first, up to 1,000 per call.",
    action: "quarantine.replay",
    body: QuarantineReplay,
    status: 202,
    response: QuarantineReplayed,
    verb: replayAllWithReason,
    after: hintIngest,
  }),
];
