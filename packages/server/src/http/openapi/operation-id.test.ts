import { Type } from "typebox";
import { expect, test } from "vitest";
import { listOf } from "../pagination.ts";
import { operationIdOf, rawOperationIdOf } from "./operation-id.ts";

const one = Type.Object({ id: Type.String() });
const list = listOf(one);

test.each([
  ["GET", "/v1/messages", list, "messages.list"],
  ["POST", "/v1/webhook-endpoints", one, "webhookEndpoints.create"],
  ["GET", "/v1/phone-numbers/{id}", one, "phoneNumbers.get"],
  ["PATCH", "/v1/phone-numbers/{id}", one, "phoneNumbers.update"],
  ["DELETE", "/v1/business-accounts/{id}", Type.Null(), "businessAccounts.delete"],
  ["GET", "/v1/workspace", one, "workspace.get"],
  ["PATCH", "/v1/workspace", one, "workspace.update"],
  ["GET", "/admin/v1/audit", list, "audit.list"],
  ["GET", "/v1/audit/activity", list, "audit.listActivity"],
  ["GET", "/v1/audit/activity/{id}/proof", one, "audit.activityProof"],
  ["POST", "/admin/v1/workspaces/{id}/api-keys", one, "workspaces.createApiKey"],
  ["GET", "/admin/v1/workspaces/{id}/api-keys", list, "workspaces.listApiKeys"],
  ["POST", "/v1/webhook-endpoints/{id}/rotate-secret", one, "webhookEndpoints.rotateSecret"],
  ["GET", "/v1/webhook-endpoints/{id}/deliveries", list, "webhookEndpoints.listDeliveries"],
  ["POST", "/v1/webhook-endpoints/{id}/replays", one, "webhookEndpoints.createReplay"],
  ["GET", "/v1/webhook-endpoints/{id}/replays/{replay_id}", one, "webhookEndpoints.getReplay"],
  ["POST", "/v1/messages/batch", one, "messages.batch"],
  ["POST", "/v1/messages/{id}/cancel", one, "messages.cancel"],
  ["DELETE", "/v1/contacts/{id}/tags/{tag}", one, "contacts.deleteTag"],
  ["GET", "/v1/contacts/export", one, "contacts.export"],
  ["GET", "/v1/contacts/imports/{id}/errors", list, "contacts.listImportErrors"],
  ["GET", "/v1/conversations/{contact_id}/messages", list, "conversations.listMessages"],
])("%s %s", (method, path, response, id) => {
  expect(operationIdOf({ method, path, response })).toBe(id);
});

test("a row's own name goes before the path's", () => {
  expect(operationIdOf({ method: "POST", path: "/v1/messages", response: one, operationId: "messages.send" })).toBe(
    "messages.send",
  );
});

test("raw routes carry their method, so that two of one path differ", () => {
  expect(rawOperationIdOf({ method: "POST", path: "/webhooks/receive" })).toBe("webhooks.postReceive");
  expect(rawOperationIdOf({ method: "GET", path: "/healthz" })).toBe("healthz.get");
});
