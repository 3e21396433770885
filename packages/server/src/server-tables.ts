import type { Feature } from "./feature.ts";
import { FORGET_ANSWERS } from "./http/forget-answers.sql.ts";

/** Tables that no feature has, declared as those of features: they are of the database layer, the lanes and the HTTP layer. */
export const SERVER: Pick<Feature, "name" | "grants" | "forgets" | "moves"> = {
  name: "server",
  grants: {
    api_demand: { app: "", engine: "delete, insert, select, update" },
    flight: { app: "insert", engine: "insert" },
    function_use: { app: "", engine: "" },
    idempotency_key: { app: "delete, insert, select, update", engine: "delete, insert, select, update" },
    kept_answer_contact: { app: "insert, select", engine: "delete, select" },
    installation: { app: "select", engine: "select" },
    migration: { app: "", engine: "" },
    slot: { app: "", engine: "select" },
    worker: { app: "", engine: "" },
  },
  forgets: {
    tables: {
      idempotency_key: {
        holds: "answers that are kept for repetitions, sealed",
        erasure: "at once; a repeated send returns the emptied message",
      },
      kept_answer_contact: { holds: "whose data is in a kept answer", erasure: "at once" },
    },
    without: ["api_demand", "flight", "function_use", "installation", "migration", "slot", "worker"],
    atOnce: FORGET_ANSWERS,
    late: FORGET_ANSWERS,
  },
  moves: {
    api_demand: "stays",
    flight: "stays",
    function_use: "stays",
    installation: "stays",
    migration: "stays",
    slot: "stays",
    worker: "stays",
  },
};
