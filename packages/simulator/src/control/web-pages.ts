import { isIP } from "node:net";
import type { FastifyInstance } from "fastify";
import { ControlError } from "../world/control-error.ts";

/**
 * Refuses requests of web pages: a page open in a browser could reset the simulator or read the messages sent to it. A page of
 * another origin says so itself; one whose name was made to lead here (DNS rebinding) has our origin, and is known by
 * that name. Programs send no `Origin` and call us by an address or a local name. `host` is what it listens on.
 */
export function refuseWebPages(app: FastifyInstance, host: string): void {
  app.addHook("onRequest", async (request) => {
    const { host: called, origin } = request.headers;
    if (origin !== undefined && hostOf(origin) !== called?.toLowerCase())
      throw new ControlError(
        403,
        "another page's Origin: the simulator takes requests of its own page and of programs",
      );
    // Outside the control API a call by another name is that of a gateway, which may find us under any. The route is asked,
    // because a path can be written in several ways.
    const { url = "" } = request.routeOptions;
    const guarded = origin !== undefined || url.startsWith("/sim") || url.endsWith("/dialog/oauth");
    if (guarded && called !== undefined && !isLocal(called, host))
      throw new ControlError(
        403,
        `Host ${called} may be a web page's: call the simulator by its address or by localhost`,
      );
  });
}

const hostOf = (origin: string): string | null => (URL.canParse(origin) ? new URL(origin).host : null);

/** Pages come from names of the public DNS, which have a dot; an address in `Host` is where the page itself came from. */
function isLocal(called: string, host: string): boolean {
  if (!URL.canParse(`http://${called}`)) return false;
  const name = new URL(`http://${called}`).hostname;
  return (
    isIP(name.replaceAll(/[[\]]/g, "")) !== 0 || !name.includes(".") || name.endsWith(".localhost") || name === host
  );
}
