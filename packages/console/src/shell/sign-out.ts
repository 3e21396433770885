import { useQueryClient } from "@tanstack/react-query";
import { useNavigate, useRouter } from "@tanstack/react-router";
import { endSession, notifyTabs, type Session } from "../api/session.ts";
import { forgetWorks } from "../api/works.ts";
import { paths } from "../paths.ts";

/** Ends the session here, in the other tabs, and forgets what was read under it. Throws what the gateway refuses. */
export function useSignOut(session: Session): () => Promise<void> {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const router = useRouter();
  return async () => {
    await endSession();
    notifyTabs(session.id, "ended");
    queryClient.clear();
    forgetWorks();
    await navigate(paths.signIn());
    await router.invalidate();
  };
}
