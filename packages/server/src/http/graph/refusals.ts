import type { RequestHead } from "../credentials.ts";
import { whyNoBearer } from "../credentials.ts";
import { Problem } from "../problem.ts";

const IN_ADDRESS = /[?&](?:access_token|input_token)=/i;

/** 401: no key, or one that is not valid. Nothing of what was given is in it. */
export function graphRefusal(head: RequestHead): Problem {
  const { authorization, "d360-api-key": d360, "x-api-key": other } = head.headers;
  const isGiven = [authorization, d360, other].some((header) => typeof header === "string" && header.trim() !== "");
  if (isGiven) return new Problem("unauthorized", whyNoBearer(head));
  const where = IN_ADDRESS.test(head.url ?? "")
    ? "A key in the address is not taken, because addresses are written to logs: send it as `Authorization: Bearer <API_KEY>`."
    : "Send an API key of Waypost as `Authorization: Bearer <API_KEY>`.";
  return new Problem("unauthorized", where, { graph: { status: 401, code: 104 } });
}

/** 404 for a path that is no call of the list. */
export const unlistedCall = (): Problem =>
  new Problem(
    "not_found",
    "Waypost has no such call, and passes none on that it does not know: docs/cloud-api.md lists them.",
    {
      graph: { status: 404, code: 3 },
    },
  );
