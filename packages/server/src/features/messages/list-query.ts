import { type Static, Type } from "typebox";
import { listQuery } from "../../http/pagination.ts";
import { timestampInput } from "../../http/timestamps.ts";
import { MESSAGE_STATUSES } from "../threads/status.ts";
import { LONGEST_CLIENT_VALUE } from "./columns.ts";

export const ListMessages = Type.Object({
  ...listQuery,
  direction: Type.Optional(Type.Enum(["outbound", "inbound"])),
  status: Type.Optional(Type.Enum([...MESSAGE_STATUSES])),
  type: Type.Optional(
    Type.String({ maxLength: 40, description: "The type of the message, such as `template` or `text`." }),
  ),
  to: Type.Optional(
    Type.String({
      maxLength: 150,
      description: "The recipient: a person by number in any form, contact id or user id, or one of your numbers.",
    }),
  ),
  from: Type.Optional(
    Type.String({
      maxLength: 150,
      description: "The sender: a person by number in any form, contact id or user id, or one of your numbers.",
    }),
  ),
  contact_id: Type.Optional(
    Type.String({ maxLength: 40, description: "The id of the person's contact; matches messages in both directions." }),
  ),
  template: Type.Optional(
    Type.String({
      maxLength: 512,
      description: "The name of the template that is sent, also as the `fallback` that was used.",
    }),
  ),
  reference: Type.Optional(
    Type.String({
      maxLength: LONGEST_CLIENT_VALUE,
      description: "Your own reference, or what a client of the Cloud API gave for one; matches exactly.",
    }),
  ),
  provider_message_id: Type.Optional(
    Type.String({
      maxLength: 256,
      description: "An id that the provider gave the message; matches exactly.",
    }),
  ),
  error_code: Type.Optional(
    Type.String({
      maxLength: 40,
      description: "The `code` of the message's `error`, also of one that arrived nevertheless.",
    }),
  ),
  created_after: Type.Optional(timestampInput("Only messages created after this time.")),
  created_before: Type.Optional(timestampInput("Only messages created before this time.")),
});
export type ListMessages = Static<typeof ListMessages>;
