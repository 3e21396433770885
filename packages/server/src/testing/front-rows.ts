import { Type } from "typebox";
import type { Feature } from "../feature.ts";
import { type FrontOf, removeFrontEndpoint, setFrontEndpoint } from "../features/webhooks/front-endpoint.ts";
import { FEATURES } from "../features.ts";
import { uuidOfPath } from "../http/ids.ts";
import { route } from "../http/route.ts";

const target = Type.Object({ id: Type.String() });
const ofPath = (id: string): FrontOf =>
  id.startsWith("num_") ? { numberId: uuidOfPath("num", id) } : { accountId: uuidOfPath("acc", id) };
const ROW = { tag: "Webhooks", auth: "workspace", scope: "webhooks:write", limitedKeys: "own" } as const;

/** Rows that set up and remove endpoints of accounts and numbers by their public ids. */
const frontRows: Feature = {
  name: "front-rows",
  build: (_, { handshakes }) => ({
    routes: [
      route({
        ...ROW,
        kind: "write",
        method: "POST",
        path: "/v1/front-endpoints/{id}",
        summary: "Set up",
        description: "Sets up an endpoint.",
        action: "webhook_endpoint.create",
        params: target,
        body: Type.Object({ url: Type.String(), verify_token: Type.String() }),
        status: 200,
        response: Type.Object({}, { additionalProperties: true }),
        errors: ["conflict", "endpoint_unverified"],
        before: (ctx, { params, body }) =>
          handshakes.ofFront(ctx, { of: ofPath(params.id), url: body.url, verifyToken: body.verify_token }),
        verb: (ctx, { params, body }) =>
          setFrontEndpoint(ctx, { of: ofPath(params.id), url: body.url, verifyToken: body.verify_token }),
      }),
      route({
        ...ROW,
        kind: "write",
        method: "DELETE",
        path: "/v1/front-endpoints/{id}",
        summary: "Remove",
        description: "Removes it.",
        action: "webhook_endpoint.delete",
        params: target,
        status: 204,
        response: Type.Null(),
        verb: (ctx, { params }) => removeFrontEndpoint(ctx, ofPath(params.id)),
      }),
    ],
  }),
};

export const WITH_FRONT_ROWS = { features: [...FEATURES, frontRows] };
