import { type Static, Type } from "typebox";
import { idSchema } from "../../../http/ids.ts";
import { listOf, listQuery } from "../../../http/pagination.ts";
import { nullable, WEB_ADDRESS } from "../../../http/schema-types.ts";
import { timestampInput, timestampOutput } from "../../../http/timestamps.ts";

export const LINK_STATUSES = ["open", "completed", "revoked", "expired"] as const;
export type LinkStatus = (typeof LINK_STATUSES)[number];

/** As long as browsers take. */
const LONGEST_URL = 2_048;

const LINK_EXAMPLE = {
  id: "stl_01jd0000000000000000000000",
  status: "open",
  expires_at: "2026-02-01T09:00:00.000Z",
  return_url: "https://shop.example/connected",
  embedded_signup_id: null,
  created_at: "2026-01-31T09:00:00.000Z",
};

export const SetupLink = Type.Object(
  {
    id: idSchema("stl"),
    status: Type.Enum([...LINK_STATUSES], {
      description:
        "`open` until an account is connected by it (`completed`), it is revoked or it expires. A signup that was begun goes on all the same, and makes the link `completed` when it succeeds.",
    }),
    expires_at: timestampOutput(),
    return_url: nullable(Type.String(), "Where the page sends the client afterwards."),
    embedded_signup_id: nullable(
      idSchema("sgn"),
      "The signup that was begun by the link. It has one at most, which the page resumes.",
    ),
    created_at: timestampOutput(),
  },
  { $id: "SetupLink", examples: [LINK_EXAMPLE] },
);
export type SetupLink = Static<typeof SetupLink>;

export const NewSetupLink = Type.Object(
  {
    ...SetupLink.properties,
    url: Type.String({
      description:
        "The address to send to the client, returned only in this response. What stands behind its `#` is a secret: who has it can connect an account to this workspace.",
    }),
  },
  {
    $id: "NewSetupLink",
    examples: [{ ...LINK_EXAMPLE, url: "https://gateway.example/signup#AZQZTgAAcACAAAAAAAAACrH2c_E" }],
  },
);
export type NewSetupLink = Static<typeof NewSetupLink>;

export const SetupLinkInput = Type.Object(
  {
    return_url: Type.Optional(
      nullable(
        Type.String({ pattern: WEB_ADDRESS, maxLength: LONGEST_URL }),
        "Where the page sends the client when it has ended, with `status` (`completed`, `failed` or `canceled`) and `embedded_signup_id` added to the query, and nothing else. An address with https; under `npm start` also one of this machine with http. By default the page only says that all is done.",
      ),
    ),
    expires_at: Type.Optional(
      nullable(timestampInput(), "When the link stops working: in 7 days at most, by default in 24 hours."),
    ),
  },
  { $id: "SetupLinkInput", examples: [{ return_url: "https://shop.example/connected" }] },
);
export type SetupLinkInput = Static<typeof SetupLinkInput>;

export const ListSetupLinks = Type.Object(listQuery);
export const SetupLinkList = listOf(SetupLink);
