import { addressOf, unwatchSession } from "../api/client.ts";
import { notifyTabs } from "../api/session.ts";

/**
 * Swaps the session by `swap` and begins again at a page, with nothing of what was read before: the answers after it are another
 * workspace's. Other tabs do the same. Where `swap` throws, all stays as it was.
 */
export async function changeWorkspace(sessionId: string, swap: () => Promise<unknown>, page: string): Promise<void> {
  const watchAgain = unwatchSession();
  try {
    await swap();
  } catch (error) {
    watchAgain();
    throw error;
  }
  notifyTabs(sessionId, "changed");
  location.assign(addressOf(page));
}
