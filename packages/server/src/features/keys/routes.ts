import { Type } from "typebox";
import { idParams } from "../../http/ids.ts";
import { listOf, listQuery } from "../../http/pagination.ts";
import { type AnyRoute, route } from "../../http/route.ts";
import { createKey, deleteKey, getKey, listKeys, rotateKey } from "./key.ts";
import { ApiKey, ApiKeyInput, NewApiKey, RotateInput } from "./schema.ts";

const access = { tag: "API keys", auth: "workspace", scope: "keys:write" } as const;

export const keyRoutes = (): AnyRoute[] => [
  route({
    ...access,
    kind: "write",
    method: "POST",
    path: "/v1/api-keys",
    summary: "Make an API key",
    description: "The key is in this answer alone. It can have no scope that the calling key lacks.",
    action: "api_key.create",
    body: ApiKeyInput,
    status: 201,
    response: NewApiKey,
    errors: ["conflict"],
    verb: createKey,
  }),
  route({
    ...access,
    kind: "read",
    method: "GET",
    path: "/v1/api-keys",
    summary: "List API keys",
    description: "Ended ones too.",
    action: "api_key.list",
    query: Type.Object(listQuery),
    status: 200,
    response: listOf(ApiKey),
    verb: listKeys,
  }),
  route({
    ...access,
    kind: "read",
    method: "GET",
    path: "/v1/api-keys/{id}",
    summary: "Read an API key",
    description: "An ended one too. The text of a key is in the answer that made it alone.",
    action: "api_key.read",
    params: idParams("key"),
    status: 200,
    response: ApiKey,
    verb: getKey,
  }),
  route({
    ...access,
    kind: "write",
    method: "POST",
    path: "/v1/api-keys/{id}/rotate",
    summary: "Replace an API key",
    description:
      "Answers a new key with the same name, scopes and end. The old one goes on for `overlap_seconds`, a day without a body; one that it had replaced ends now.",
    action: "api_key.rotate",
    params: idParams("key"),
    body: RotateInput,
    bodyOptional: true,
    status: 201,
    response: NewApiKey,
    errors: ["conflict"],
    verb: rotateKey,
  }),
  route({
    ...access,
    kind: "write",
    method: "DELETE",
    path: "/v1/api-keys/{id}",
    summary: "Revoke an API key",
    description: "Holds everywhere within 5 seconds. The key stays in the list.",
    action: "api_key.delete",
    params: idParams("key"),
    status: 204,
    response: Type.Null(),
    verb: deleteKey,
  }),
];
