import { idParams } from "../../../http/ids.ts";
import { type AnyRoute, route } from "../../../http/route.ts";
import { getProviderView } from "./provider-view.ts";
import { ProviderView } from "./schema.ts";

export const PROVIDER_VIEW_ROUTES: readonly AnyRoute[] = [
  route({
    tag: "Messages",
    auth: "workspace",
    scope: "audit:read",
    limitedKeys: "own",
    kind: "read",
    method: "GET",
    path: "/v1/messages/{id}/provider",
    summary: "Get what was exchanged with the provider about a message",
    description:
      "What was sent to the provider, what it answered to each attempt, and what it reported of this message alone. The request is not kept: it is written again as the gateway writes it, with what is known now of number, recipient and media. Without tokens, without the gateway's own `biz_opaque_callback_data`, with dots for the parameters of authentication templates, and with nothing of a contact that was erased but times and codes.",
    operationId: "messages.getProvider",
    action: "message_at_provider.read",
    params: idParams("msg"),
    status: 200,
    response: ProviderView,
    verb: getProviderView,
  }),
];
