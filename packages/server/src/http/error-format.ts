import type { Problem } from "./problem.ts";

/** How problems are written. Status and body are public; log and audit log have the code of the problem beside the status. */
export type ErrorFormat = {
  mediaType: string;
  status(problem: Problem): number;
  /** The body, in UTF-8. */
  body(problem: Problem, requestId: string): string;
};
