import type { Ctx } from "../../../ctx.ts";
import { invalidAt } from "../../../http/problem.ts";
import { checkUrl, type EgressPolicy, egressPolicy, isLiteral, TargetRefused } from "../../../lib/safe-fetch/target.ts";
import { LONGEST_URL } from "../schema.ts";

/** The URL as `endpointUrl` makes it, by the rules of this installation. */
export const allowedUrl = ({ config }: Pick<Ctx, "config">, url: string): string =>
  endpointUrl(url, egressPolicy(config.EGRESS_ALLOW_CIDRS, config.EGRESS_ALLOW_PORTS));

/** Octets of a name and of one of its labels (RFC 1035, 2.3.4). */
const LONGEST_NAME = 253;
const LONGEST_LABEL = 63;

/**
 * The URL of an endpoint as it is stored, returned and posted to: normalised by the URL parser. The parser itself is too
 * lenient: it drops line breaks and tabs silently and accepts names that no name server can hold, so that the URL that a client
 * reads back or logs would not be the one that is called. 400 at `/url` for a URL that may not be an endpoint. Only for URLs that
 * are being written: an endpoint that was stored under older rules keeps working.
 */
export function endpointUrl(text: string, policy: EgressPolicy): string {
  const refuse = (detail: string): Error => invalidAt("/url", detail, "target_refused");
  if (/[\s\p{Cc}\p{Cf}]/u.test(text))
    throw refuse("The URL must not contain blanks, line breaks or invisible characters: write a blank as %20.");
  const url = parsed(text, policy, refuse);
  if (url.href.length > LONGEST_URL)
    throw refuse(`The URL is longer than ${LONGEST_URL} characters, letters beyond ASCII being written as %XX.`);
  const fault = isLiteral(url.hostname) ? null : faultOfName(url.hostname);
  if (fault !== null) throw refuse(fault);
  return url.href;
}

function parsed(text: string, policy: EgressPolicy, refuse: (detail: string) => Error): URL {
  try {
    return checkUrl(text, policy).url;
  } catch (error) {
    if (error instanceof TargetRefused) throw refuse(error.message);
    throw error;
  }
}

// Takes the name in its ASCII form. A dot at the end names the root and is no empty label.
function faultOfName(hostname: string): string | null {
  const name = hostname.replace(/\.$/, "");
  if (name.length > LONGEST_NAME) return `The host is longer than ${LONGEST_NAME} characters.`;
  for (const label of name.split(".")) {
    if (label === "") return "The host has an empty part between two dots.";
    if (label.length > LONGEST_LABEL) return `A part of the host is longer than ${LONGEST_LABEL} characters.`;
  }
  return null;
}
