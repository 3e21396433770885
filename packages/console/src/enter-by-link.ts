import type { QueryClient } from "@tanstack/react-query";
import { sessionQuery, signIn } from "./api/session.ts";
import { Store } from "./store.ts";

const LINK = /^#enter=([\w-]+)$/;

/** Why the link that this page was opened by let no person in; null for none. */
export const linkRefusal = new Store<unknown>(null);

/**
 * Signs in by the code of a link, `#enter=…`. The code stands behind the `#`, so that the browser sends it to no server; it leaves the
 * address and the history before anything else happens.
 */
export async function enterByLink(queryClient: QueryClient): Promise<void> {
  // A link that is opened in a tab of the console changes the fragment alone.
  addEventListener("hashchange", () => LINK.test(location.hash) && location.reload());
  const code = LINK.exec(location.hash)?.[1];
  if (code === undefined) return;
  history.replaceState(null, "", location.pathname + location.search);
  try {
    queryClient.setQueryData(sessionQuery.queryKey, await signIn({ code }));
  } catch (error) {
    linkRefusal.set(error);
  }
}
