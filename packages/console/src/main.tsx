import "./styles/tokens.css";
import "./styles/base.css";
import { CSPProvider } from "@base-ui/react/csp-provider";
import { DirectionProvider } from "@base-ui/react/direction-provider";
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { ApiError } from "@waypost/sdk";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { sessionQuery } from "./api/session.ts";
import { enterByLink } from "./enter-by-link.ts";
import { routerOf } from "./router.tsx";
import { DIRECTION } from "./text/text.ts";

const MOST_RETRIES = 2;
/** A refusal that asks for a longer wait is shown, and counts down. */
const MOST_WAIT_S = 2;
const FRESH_MS = 5_000;

const queryClient = new QueryClient({
  queryCache: new QueryCache({ onError: leaveIfEnded }),
  mutationCache: new MutationCache({ onError: leaveIfEnded }),
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: (failures, error) =>
        failures < MOST_RETRIES &&
        !(error instanceof ApiError && !error.retryable && error.status < 500) &&
        waitOf(error) <= MOST_WAIT_S,
      retryDelay: (failures, error) => 1_000 * Math.max(waitOf(error), 2 ** failures),
    },
  },
});

/** Seconds that the refusal asks to wait. */
const waitOf = (error: Error): number => (error instanceof ApiError && error.retryAfterSeconds) || 0;

/** Where the session has ended, its pages lead to the sign-in. A wrong key at the sign-in ends none. */
function leaveIfEnded(error: Error): void {
  if (!(error instanceof ApiError) || error.status !== 401 || !queryClient.getQueryData(sessionQuery.queryKey)) return;
  queryClient.setQueryData(sessionQuery.queryKey, null);
  void router.invalidate();
}
const router = routerOf(queryClient);

function render(): void {
  const root = document.getElementById("app");
  if (root === null) throw new Error("the page has no place for the console");
  createRoot(root).render(
    <StrictMode>
      {/* The policy of the gateway refuses style elements. */}
      <CSPProvider disableStyleElements>
        <DirectionProvider direction={DIRECTION}>
          <QueryClientProvider client={queryClient}>
            <RouterProvider router={router} />
          </QueryClientProvider>
        </DirectionProvider>
      </CSPProvider>
    </StrictMode>,
  );
}

void enterByLink(queryClient).then(render);
