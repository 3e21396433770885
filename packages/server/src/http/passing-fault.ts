import { isTransient } from "../db/connect.ts";
import { DatabaseUnavailable } from "../db/database.ts";
import { Problem } from "./problem.ts";

/** The refusal for a fault of the database that will pass and in which nothing was done; null for any other error. */
export const passingFault = (error: unknown): Problem | null =>
  error instanceof DatabaseUnavailable || isTransient(error)
    ? new Problem("unavailable", "The database is busy or away; nothing was done.", {
        retryAfterSeconds: 1,
        cause: error,
      })
    : null;
