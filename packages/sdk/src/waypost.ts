import { OperatorApi, WorkspaceApi } from "./resources.gen.ts";
import { Sender, type SenderOptions } from "./sender.ts";
import { verifyWebhook } from "./webhook.ts";
import { webhookTestHeaders } from "./webhook-test.ts";

/** How clients connect to the gateway. */
export type ConnectionOptions = Omit<SenderOptions, "bearer">;
/** `session`: in the gateway's own console, where the browser's cookie stands for a key. */
type Session = { session: true };
export type WaypostOptions = ConnectionOptions & ({ apiKey: string } | Session);
export type WaypostOperatorOptions = ConnectionOptions & ({ operatorKey: string } | Session);

const webhooks = { verify: verifyWebhook, testHeaders: webhookTestHeaders };

/**
 * The client of a workspace: the key determines which one.
 * @example const { id } = await new Waypost({ apiKey, baseUrl }).messages.send({ to: "+15551230001", type: "text", text: { body: "Hello" } });
 */
export class Waypost extends WorkspaceApi {
  /** Verification of deliveries, and headers for tests of a receiver; neither needs a client. */
  static readonly webhooks = webhooks;
  readonly webhooks = webhooks;

  constructor(options: WaypostOptions) {
    super(new Sender({ ...options, bearer: "session" in options ? null : options.apiKey }));
  }
}

/** The operator's client: workspaces, their keys, and the audit log of both. */
export class WaypostOperator extends OperatorApi {
  constructor(options: WaypostOperatorOptions) {
    super(new Sender({ ...options, bearer: "session" in options ? null : options.operatorKey }));
  }
}
