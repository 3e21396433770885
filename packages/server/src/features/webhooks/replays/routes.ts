import { Type } from "typebox";
import { idParams, idSchema } from "../../../http/ids.ts";
import { type AnyRoute, route } from "../../../http/route.ts";
import { createReplay, getReplay, startReplay } from "./replay.ts";
import { NewReplay, Replay } from "./schema.ts";

export const REPLAY_ROUTES: readonly AnyRoute[] = [
  route({
    tag: "Webhooks",
    auth: "workspace",
    scope: "webhooks:write",
    limitedKeys: "own",
    kind: "write",
    method: "POST",
    path: "/v1/webhook-endpoints/{id}/replays",
    summary: "Create a replay",
    description:
      "Sends events of a time to the endpoint again, in the background; poll the replay. Each has the id that it had (`webhook-id`) and the header `X-Service-Replay: true`, is posted at the endpoint's `rate_per_second`, 50 a second where it has none, and is tried as any delivery is. Events of a replay keep their order among themselves; live ones neither wait for them nor are overtaken. While the endpoint is disabled the replay waits.",
    action: "replay.create",
    params: idParams("whe"),
    body: NewReplay,
    status: 202,
    response: Replay,
    errors: ["conflict"],
    verb: createReplay,
    after: startReplay,
  }),
  route({
    tag: "Webhooks",
    auth: "workspace",
    scope: "webhooks:read",
    limitedKeys: "own",
    kind: "read",
    method: "GET",
    path: "/v1/webhook-endpoints/{id}/replays/{replay_id}",
    summary: "Get a replay",
    description: "With its progress. A replay can be read for 30 days after it has ended.",
    action: "replay.read",
    params: Type.Object({ id: idSchema("whe"), replay_id: idSchema("rpl") }),
    status: 200,
    response: Replay,
    verb: getReplay,
  }),
];
