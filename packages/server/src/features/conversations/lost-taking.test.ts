import { describe, expect, it } from "vitest";
import { MINUTE_MS } from "../../lib/duration.ts";
import { startSenders } from "../messages/testing/senders.ts";
import { threadsOf } from "./testing/threads.ts";

// A message that takes a conversation over, whose answer is lost: what the provider says later shows whose the conversation is.
const ANSWERED_WITHIN_MS = 3_000;
const { gateway, mine, sentTo } = await startSenders(
  { API_RATE_LIMIT: "off" },
  { providerTimeoutMs: ANSWERED_WITHIN_MS },
);
const { post, message, taken, status, owner, conversation, changesOf } = threadsOf(gateway, mine);

type Fault = Parameters<typeof gateway.simulator.addFault>[0]["kind"];

let people = 0;
/** A person to whom `take` is sent while another responder answers them; resolves when the answer is lost, or at once. */
async function takeWithLoss(kind: Fault, more: object = {}, wait = true) {
  const ana = `1555747${String((people += 1)).padStart(4, "0")}`;
  await mine.inbound(`+${ana}`);
  await post(message("standby", ana, `wamid.l.${ana}`, { ago: 30 }));
  await owner(ana, "other");
  gateway.simulator.addFault({ kind, accept: true, recipient: `+${ana}` });
  const body = { to: `+${ana}`, type: "text", text: { body: "Let me help" }, take: true, ...more };
  const { id } = (await mine.call("POST", "/v1/messages", { body })).body;
  if (wait) await mine.becomes(id, "unknown");
  await expect.poll(() => sentTo(`+${ana}`)).toHaveLength(1);
  const [sent] = sentTo(`+${ana}`);
  const say = (word: string) =>
    status("messages", sent?.id ?? "", word, { biz_opaque_callback_data: sent?.opaque, recipient_id: ana });
  return { ana, id, say };
}

describe("a message with `take` whose answer is lost", () => {
  it.each<[Fault, string]>([
    ["reset", "sent"],
    ["html", "delivered"],
    ["no_id", "read"],
  ])("(%s) makes the conversation ours when its status comes (%s), once", async (kind, word) => {
    const { ana, id, say } = await takeWithLoss(kind);
    expect((await conversation(ana)).owner.role).toBe("other");
    await post(say(word));
    await mine.becomes(id, word);
    await owner(ana, "self");
    await post(say(word), say("sent"));
    expect((await changesOf(ana)).slice(-1)).toEqual(["thread_taken other→self"]);
    expect((await changesOf(ana)).filter((one) => one.startsWith("thread_taken"))).toHaveLength(1);
    expect((await mine.call("POST", "/v1/messages", { body: { ...TEXT, to: `+${ana}` } })).status).toBe(202);
  });

  it("makes it ours also where the status comes before the loss is known", async () => {
    const { ana, id, say } = await takeWithLoss("hang", {}, false);
    await post(say("sent"));
    await mine.becomes(id, "sent");
    gateway.clock.advance(ANSWERED_WITHIN_MS);
    await owner(ana, "self");
    expect((await changesOf(ana)).slice(-1)).toEqual(["thread_taken other→self"]);
  });

  it("does not where it has failed", async () => {
    const { ana, id, say } = await takeWithLoss("reset");
    await post(say("failed"));
    await mine.becomes(id, "failed");
    expect((await conversation(ana)).owner.role).toBe("other");
  });

  it("does not where somebody has taken it since", async () => {
    const { ana, id, say } = await takeWithLoss("reset");
    gateway.clock.advance(MINUTE_MS);
    await post(taken(ana));
    await post(say("delivered"));
    await mine.becomes(id, "delivered");
    expect((await conversation(ana)).owner.role).toBe("other");
  });
});

const TEXT = { type: "text", text: { body: "Hi" } };
