import type { Workspace } from "./deployment.ts";
import type { GatewayProcess, Reply } from "./gateway.ts";

/** A message to post: to a recipient of its own unless a test says otherwise, so that the provider's log distinguishes them. */
export type Order = {
  to: string;
  key: string | null;
  from: string;
  /** The parameter of the template and the message's `reference`. */
  mark?: string;
};

/** The result of a post. `reply` is null without an answer; times are monotonic milliseconds. */
export type Posted = { order: Order; reply: Reply | null; postedAt: number; answeredAt: number };

let people = 0;
/** Recipients never used before, in E.164. */
export const strangers = (count: number): string[] =>
  Array.from({ length: count }, () => `+1415${5_000_000 + people++}`);

/** Orders to new recipients, each with a key, from the workspace's numbers in turn. */
export function ordersOf({ numbers }: Workspace, count: number, { keyed = true } = {}): Order[] {
  return strangers(count).map((to, index) => ({
    to,
    key: keyed ? `key-${to}` : null,
    from: numbers[index % numbers.length]!.phone,
  }));
}

/** Posts one message; without a mark the recipient is its `reference`, to find it when no id was returned. */
export async function post(
  gateway: GatewayProcess,
  { key }: Pick<Workspace, "key">,
  order: Order,
  signal?: AbortSignal,
): Promise<Posted> {
  const postedAt = performance.now();
  const reply = await gateway
    .call(key, "POST", "/v1/messages", {
      body: {
        to: order.to,
        from: order.from,
        reference: order.mark ?? order.to,
        type: "template",
        template: {
          name: "order_ready",
          language: { code: "en_US" },
          ...(order.mark === undefined
            ? {}
            : { components: [{ type: "body", parameters: [{ type: "text", text: order.mark }] }] }),
        },
      },
      ...(signal === undefined ? {} : { signal }),
      ...(order.key === null ? {} : { key: order.key }),
    })
    .catch(() => null);
  return { order, reply, postedAt, answeredAt: performance.now() };
}

/** Runs `work` on all items, `width` at a time, in order of start; results in the order of items. */
export async function inParallel<Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const runner = async (): Promise<void> => {
    while (next < items.length) {
      const index = next++;
      results[index] = await work(items[index]!, index);
    }
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, runner));
  return results;
}

export const accepted = (posted: readonly Posted[]): Posted[] => posted.filter(({ reply }) => reply?.status === 202);
export const idOf = ({ reply }: Posted): string => String(reply?.body["id"]);
export const isReplay = ({ reply }: Posted): boolean => reply?.headers.get("idempotent-replayed") === "true";

/** Statuses of all messages of the workspace by recipient, from the API; a list, to prove that there is only one. */
export async function statusesOf(
  gateway: GatewayProcess,
  workspace: Pick<Workspace, "key">,
): Promise<Map<string, string[]>> {
  const found = new Map<string, string[]>();
  for await (const { reference, status } of messagesOf(gateway, workspace))
    found.set(reference, [...(found.get(reference) ?? []), status]);
  return found;
}

/** All messages of the workspace that match `filter` (`&direction=inbound`), newest first. */
export async function* messagesOf(gateway: GatewayProcess, { key }: Pick<Workspace, "key">, filter = "") {
  let cursor: string | null = "";
  while (cursor !== null) {
    const page: Reply = await gateway.call(
      key,
      "GET",
      `/v1/messages?limit=100${filter}${cursor && `&cursor=${cursor}`}`,
    );
    yield* page.body["data"] as { id: string; reference: string; status: string; text?: { body: string } }[];
    cursor = page.body["next_cursor"] as string | null;
  }
}
