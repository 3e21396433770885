import { Type } from "typebox";
import { idParams } from "../../http/ids.ts";
import { listOf, listQuery } from "../../http/pagination.ts";
import { type AnyRoute, route } from "../../http/route.ts";
import { createKey, deleteKey, getKey, listKeys, rotateKey } from "./key.ts";
import { ApiKey, ApiKeyInput, NewApiKey, RotateInput } from "./schema.ts";

const ACCESS = { tag: "API keys", auth: "workspace", scope: "keys:write", limitedKeys: "own" } as const;

export const KEY_ROUTES: readonly AnyRoute[] = [
  route({
    ...ACCESS,
    kind: "write",
    method: "POST",
    path: "/v1/api-keys",
    summary: "Create an API key",
    description:
      "The key is returned only in this response. It cannot have a scope that the calling key lacks, nor a phone number. A key with `phone_number_ids` sends with these numbers alone and sees nothing of others; what concerns a whole account or the workspace is refused to it with 403.",
    action: "api_key.create",
    body: ApiKeyInput,
    status: 201,
    response: NewApiKey,
    errors: ["conflict"],
    verb: createKey,
  }),
  route({
    ...ACCESS,
    kind: "read",
    method: "GET",
    path: "/v1/api-keys",
    summary: "List API keys",
    description:
      "Includes expired and revoked keys. A key that is limited to phone numbers sees those that are limited to some of them.",
    action: "api_key.list",
    query: Type.Object(listQuery),
    status: 200,
    response: listOf(ApiKey),
    verb: listKeys,
  }),
  route({
    ...ACCESS,
    kind: "read",
    method: "GET",
    path: "/v1/api-keys/{id}",
    summary: "Get an API key",
    description: "Also returns expired and revoked keys. The text of a key is returned only when it is created.",
    action: "api_key.read",
    params: idParams("key"),
    status: 200,
    response: ApiKey,
    verb: getKey,
  }),
  route({
    ...ACCESS,
    kind: "write",
    method: "POST",
    path: "/v1/api-keys/{id}/rotate",
    summary: "Rotate an API key",
    description:
      "Creates a key with the same name, scopes and expiry. The old key keeps working for `overlap_seconds`, one day by default. A key that the old one replaced ends immediately.",
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
    ...ACCESS,
    kind: "write",
    method: "DELETE",
    path: "/v1/api-keys/{id}",
    summary: "Revoke an API key",
    description: "Takes effect in every process within 5 seconds. The key stays in the list.",
    action: "api_key.delete",
    params: idParams("key"),
    status: 204,
    response: Type.Null(),
    verb: deleteKey,
  }),
];
