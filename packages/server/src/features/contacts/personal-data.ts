import type { Forgetting } from "../../forgetting.ts";

/** Contacts and conversations are deleted by the step of `people`; the names that were theirs are kept by a trigger of `erased_contact`. */
export const forgets: Forgetting = {
  tables: {
    contact: { holds: "names, numbers, ids, e-mail, attributes, tags, consent", erasure: "at once" },
    segment: {
      holds: "names and filters as the client wrote them, which may name people",
      erasure: "stays until the segment is changed or deleted",
    },
    conversation: { holds: "when a person last wrote, and who answers", erasure: "at once" },
    erased_name: {
      holds: "until when a number or user id was that of a person who was erased, by keyed digests",
      erasure: "stays for 190 days, so that a history or phone book of before does not bring them back",
    },
    erased_contact: {
      holds: "that there was a contact of this id, and when it was erased",
      erasure: "is what stays",
    },
  },
  without: ["contact_import", "contact_import_error"],
};
