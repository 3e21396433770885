import type { Forgetting } from "../../forgetting.ts";
import { ERASE_LATE, ERASE_RECORDS } from "./erase.sql.ts";

/** With the records go the contacts themselves and their conversations, whose rows this feature merges too. */
export const forgets: Forgetting = {
  tables: {
    identifier: { holds: "every form of a number and every id by which a person was known", erasure: "at once" },
    contact_merge: { holds: "records as they were before they were merged", erasure: "at once" },
    contact_evidence: {
      holds: "what the provider said of a person, until it is applied",
      erasure: "within a minute; not applied after the erasure",
    },
    new_owner: { holds: "numbers that came with another user id in the last ten minutes", erasure: "at once" },
    opt_out_of_erased: {
      holds: "keyed digests of numbers and user ids of erased people who had opted out of marketing",
      erasure: "stays, so that no person with the same number is sent marketing unless they allow it",
    },
  },
  without: ["joined_conversation"],
  atOnce: ERASE_RECORDS,
  late: ERASE_LATE,
};
