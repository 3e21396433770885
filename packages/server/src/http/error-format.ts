import type { App } from "../ctx.ts";
import type { Problem } from "./problem.ts";

/** Where a problem is said: in the answer to a request, of a gateway with its outside address. Contexts of verbs are such. */
export type ProblemPlace = { requestId: string; config: Pick<App["config"], "PUBLIC_URL"> };

/** How problems are written. Status and body are public; log and audit log have the code of the problem beside the status. */
export type ErrorFormat = {
  mediaType: string;
  status(problem: Problem): number;
  /** The body, in UTF-8. */
  body(problem: Problem, place: ProblemPlace): string;
};
