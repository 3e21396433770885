import type { RawAnswer, RawHead } from "../route.ts";
import { OPEN, type Surface } from "../surface.ts";
import { missingHtml } from "./reference/layout.ts";
import { CSP } from "./reference/reference.ts";

/** Whether a person may look at the answer, at a path that programs do not call: then a page says that nothing is there. */
export const isForBrowser = (
  { method, surface }: { method: string; surface: Surface },
  { accept }: RawHead["headers"],
): boolean => (method === "GET" || method === "HEAD") && surface === OPEN && String(accept ?? "").includes("text/html");

/** The page of an address that leads nowhere; its links go up as many steps as the address has. */
export function missingPage(url: string): RawAnswer {
  const steps = (url.split("?", 1)[0] ?? "").split("/").length - 2;
  return {
    status: 404,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": CSP,
      "referrer-policy": "no-referrer",
      vary: "accept",
    },
    body: missingHtml("../".repeat(Math.max(0, steps))),
  };
}
