import { hash, randomBytes } from "node:crypto";
import type { Ctx } from "../../../ctx.ts";
import { outsideAddress } from "../../../http/outside-address.ts";
import type { RawHead } from "../../../http/route.ts";
import { DAY_MS } from "../../../lib/duration.ts";

/** As long as the longest link. */
const LIFE_S = (7 * DAY_MS) / 1_000;
const VALUE = /^[\w-]{43}$/;

/**
 * The browser in which a link is open, by a cookie of its own. It proves nothing alone: calls need the link's secret, and an answer of the
 * dialog is taken only in the browser that asked for it. The console's cookie is not read.
 */
export type LinkBrowser = {
  /** The cookie's value. */
  value: string;
  /** Gives the cookie to a browser that has none; null: it has one. */
  setCookie: string | null;
};

export function browserOf({ headers }: Pick<RawHead, "headers">, config: Ctx["config"]): LinkBrowser {
  const { protocol, port } = new URL(outsideAddress(config));
  // On loopback the name carries the port, as cookies do not know ports.
  const name = protocol === "https:" ? "__Host-waypost-setup" : `waypost_setup_${port}`;
  const value = valueOf(String(headers["cookie"] ?? ""), name);
  if (value !== null) return { value, setCookie: null };
  const created = randomBytes(32).toString("base64url");
  const secure = protocol === "https:" ? "; Secure" : "";
  return {
    value: created,
    setCookie: `${name}=${created}; Path=/; Max-Age=${LIFE_S}; HttpOnly; SameSite=Strict${secure}`,
  };
}

function valueOf(cookies: string, name: string): string | null {
  for (const part of cookies.split(";")) {
    const [given, value = ""] = part.trim().split("=", 2);
    if (given === name && VALUE.test(value)) return value;
  }
  return null;
}

/** Where a dialog was asked for. */
export type StatePlace = { workspaceId: string; linkId: string; browser: string };

/**
 * The `state` of a dialog: what opens only for the link and the browser that asked for it. Nothing is stored, so that each tab may have a
 * dialog open, and none of them ends by a restart.
 */
export const newState = (secrets: Ctx["secrets"], place: StatePlace): string =>
  secrets.seal("", contextOf(place)).toString("base64url");

export function isOwnState(secrets: Ctx["secrets"], place: StatePlace, state: string): boolean {
  try {
    secrets.open(Buffer.from(state, "base64url"), contextOf(place));
    return true;
  } catch {
    return false;
  }
}

const contextOf = ({ workspaceId, linkId, browser }: StatePlace): string =>
  `setup-state:${workspaceId}:${linkId}:${hash("sha256", browser, "hex")}`;
