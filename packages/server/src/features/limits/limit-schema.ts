import { Type } from "typebox";
import { nullable } from "../../http/schema-types.ts";
import { timestampOutput } from "../../http/timestamps.ts";

export const MessagingLimit = Type.Object(
  {
    limit: nullable(Type.Integer()),
    used: nullable(Type.Integer()),
    remaining: nullable(Type.Integer()),
    resets_at: nullable(timestampOutput()),
  },
  {
    description:
      "The messaging limit of the business portfolio, which all its phone numbers share: how many people it may write to outside their 24-hour windows within 24 hours (`limit`), how many it has written to (`used`), and when the next of them leaves (`resets_at`). `limit` is null when it is unlimited or not known.",
  },
);
