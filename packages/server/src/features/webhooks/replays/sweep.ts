import type { App } from "../../../ctx.ts";
import { sweepDue, sweepOf } from "../../tasks/long-task.sql.ts";
import { REPLAYS } from "./replay.store.ts";

export const SWEEP_EVERY_MS = 60_000;

/** Public text. */
const GIVEN_UP = {
  code: "crashed",
  detail: "Working the replay failed again and again. What it has scheduled is attempted; replay the rest again.",
};

export const sweepReplays = sweepOf("sweep_replays", REPLAYS);

/** Ends replays whose task was given up, and deletes what is old. */
export const sweepDueReplays = (app: Pick<App, "db" | "clock">): Promise<void> => sweepDue(app, sweepReplays, GIVEN_UP);
