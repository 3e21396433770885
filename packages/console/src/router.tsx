import type { QueryClient } from "@tanstack/react-query";
import { createRouter } from "@tanstack/react-router";
import { BASE } from "./api/client.ts";
import { appRoute, rootRoute, workspaceRoute } from "./app-route.tsx";
import { activityRoute, operatorAuditRoute } from "./pages/activity/route.ts";
import { apiKeysRoute } from "./pages/api-keys/route.ts";
import { composeRoute } from "./pages/compose/route.ts";
import { connectRoute } from "./pages/connect/route.ts";
import { contactRoute } from "./pages/contact/route.ts";
import { contactsRoute } from "./pages/contacts/route.ts";
import { conversationRoute, conversationsRoute } from "./pages/conversations/route.ts";
import { deliveriesRoute } from "./pages/deliveries/route.ts";
import { deliveryRoute } from "./pages/delivery/route.ts";
import { endpointRoute } from "./pages/endpoint/route.ts";
import { endpointsRoute } from "./pages/endpoints/route.ts";
import { eventsRoute } from "./pages/events/route.ts";
import { failuresRoute } from "./pages/failures/route.ts";
import { homeRoute } from "./pages/home/route.ts";
import { importRoute, newImportRoute } from "./pages/import/routes.ts";
import { messageRoute } from "./pages/message/route.ts";
import { messagesRoute } from "./pages/messages/route.ts";
import { numberRoute } from "./pages/number/route.ts";
import { numbersRoute } from "./pages/numbers/route.ts";
import { quarantineRoute } from "./pages/quarantine/route.ts";
import { newSegmentRoute, segmentRoute } from "./pages/segment/routes.ts";
import { segmentsRoute } from "./pages/segments/route.ts";
import { settingsRoute } from "./pages/settings/route.ts";
import { signInRoute } from "./pages/sign-in/route.ts";
import { signupRoute } from "./pages/signup/route.ts";
import { systemRoute } from "./pages/system/route.ts";
import { editTemplateRoute, newTemplateRoute, templateRoute } from "./pages/template/route.ts";
import { templatesRoute } from "./pages/templates/route.ts";
import { operatorWorkspaceRoute } from "./pages/workspace/route.ts";
import { workspacesRoute } from "./pages/workspaces/route.ts";
import { Skeleton } from "./parts/Page.tsx";
import { Problem } from "./parts/Problem.tsx";
import { parseSearch, stringifySearch } from "./search.ts";
import { Missing } from "./shell/Missing.tsx";
import { text } from "./text/text.ts";

/** All pages. */
const routes = rootRoute.addChildren([
  signInRoute,
  appRoute.addChildren([
    workspacesRoute,
    operatorWorkspaceRoute,
    quarantineRoute,
    operatorAuditRoute,
    systemRoute,
    workspaceRoute.addChildren([
      homeRoute,
      messagesRoute,
      messageRoute,
      composeRoute,
      templatesRoute,
      templateRoute,
      newTemplateRoute,
      editTemplateRoute,
      conversationsRoute,
      conversationRoute,
      endpointsRoute,
      endpointRoute,
      deliveriesRoute,
      deliveryRoute,
      numbersRoute,
      connectRoute,
      numberRoute,
      signupRoute,
      activityRoute,
      settingsRoute,
      apiKeysRoute,
      eventsRoute,
      contactsRoute,
      segmentsRoute,
      newSegmentRoute,
      segmentRoute,
      newImportRoute,
      importRoute,
      contactRoute,
      failuresRoute,
    ]),
  ]),
]);

const SKELETON_AFTER_MS = 150;

export const routerOf = (queryClient: QueryClient) =>
  createRouter({
    routeTree: routes,
    basepath: BASE,
    context: { queryClient },
    parseSearch,
    stringifySearch,
    defaultPreload: "intent",
    defaultPreloadStaleTime: 0, // the query cache knows what is old
    defaultPendingMs: SKELETON_AFTER_MS,
    defaultPendingComponent: () => <Skeleton label={text.loading} />,
    defaultErrorComponent: ({ error, reset }) => <Problem error={error} retry={reset} />,
    defaultNotFoundComponent: Missing,
    scrollRestoration: true,
  });

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof routerOf>;
  }
}
