import { consentOf, setMarketing } from "./marketing.ts";
import { decide, messageOf, newPerson, nextSecond, type Scene, sendTo, templateOf } from "./scene.ts";

/** What the simulator is made to send. The name is the kind of the event that it leads to. */
type Kind = { name: string; does: string; run(scene: Scene): Promise<object> };

const kind = (name: string, does: string, run: Kind["run"]): Kind => ({ name, does, run });

/** Loses the connection before it has answered. */
const CUT_OFF = "+12025550123";

const inbound = (scene: Scene, more: object): Promise<object> =>
  scene.simulator.post("inbound", { phone_number_id: scene.numberId, from: scene.person, ...more });

/** The event is a change of owner: by default the conversation is that of a person who is new, which has none. */
const thread = (name: string, action: "pass" | "take", does: string): Kind =>
  kind(name, does, async (scene) => {
    const { given, numberId, simulator } = scene;
    const person = given["from"] === undefined ? newPerson() : scene.person;
    await inbound({ ...scene, person }, { sample: "text" });
    return await simulator.post("threads", { phone_number_id: numberId, person, action });
  });

const status = (name: string, does: string, reported = name): Kind =>
  kind(name, `${does}, of --message-id or of one that is sent now`, async (scene) => {
    const { code } = scene.given;
    const id = await messageOf(scene);
    const more = reported === "failed" ? { code: code === undefined ? 131026 : Number(code) } : {};
    return await scene.simulator.post("statuses", { id, status: reported, ...more });
  });

const template = (name: string, does: string): Kind =>
  kind(name, `${does}, of --template or of one that is submitted for it`, async (scene) => {
    const found = await templateOf(scene);
    if (found.status === name) {
      await decide(scene, found, name === "approved" ? "paused" : "approved");
      await nextSecond();
    }
    const path = `templates/${found.provider_template_id}/decide`;
    return await scene.simulator.post(path, { status: name.toUpperCase() });
  });

const news = (name: string, does: string, body: (found: Awaited<ReturnType<typeof templateOf>>) => object): Kind =>
  kind(name, `${does}, of --template or of one that is submitted for it`, async (scene) => {
    const found = await templateOf(scene);
    const path = `templates/${found.provider_template_id}/${name.replace(/^template_(\w+)_changed$/, "$1")}`;
    return await scene.simulator.post(path, body(found));
  });

const account = (name: string, does: string, usual: string): Kind =>
  kind(name, does, async ({ simulator, accountId, given }) => {
    const event = given["event"] === undefined ? usual : String(given["event"]);
    return await simulator.post("account-events", { waba_id: accountId, event });
  });

/** Who takes marketing stops it first, and the other way round: an event is a change. */
const marketing = (name: "opted_out" | "opted_in", does: string): Kind =>
  kind(name, does, async (scene) => {
    if ((await consentOf(scene)) === name) await setMarketing(scene, name === "opted_out" ? "opted_in" : "opted_out");
    return await setMarketing(scene, name);
  });

const MESSAGES: readonly Kind[] = [
  kind("messages", "a person writes: --text, or another --sample such as image or button_reply", (scene) => {
    const { text, sample = "text" } = scene.given;
    return inbound(scene, text === undefined ? { sample } : { text: { body: text } });
  }),
  kind("media_available", "a person sends a file: --sample, an image by default", (scene) =>
    inbound(scene, { sample: scene.given["sample"] ?? "image" }),
  ),
  kind("standby_messages", "a person writes in a conversation that another responder answers", (scene) =>
    inbound(scene, { sample: "text", standby: true }),
  ),
  kind("call", "a person calls", ({ simulator, numberId, person }) =>
    simulator.post("calls", { phone_number_id: numberId, person }),
  ),
  thread("thread_taken", "pass", "another responder passes the conversation of a person who has just written to you"),
  thread("thread_released", "take", "another responder takes the conversation of a person who has just written"),
];

const STATUSES: readonly Kind[] = [
  kind("accepted", "the provider accepts a message that is sent now", async (scene) => ({
    id: await messageOf(scene),
  })),
  status("sent", "a message is on its way"),
  status("delivered", "a message has arrived"),
  status("read", "a message was read"),
  status("played", "a voice message was played"),
  status("failed", "a message was not delivered: --code of the provider, 131026 by default"),
  kind("unknown", "the answer to a message that is sent now is lost", async (scene) => ({
    id: (await sendTo(scene, CUT_OFF)) || null,
  })),
  status("message_deleted", "a message was deleted", "deleted"),
  status("warning", "the provider warns of a message"),
  kind("payment_updated", "a payment was made, for --message-id or a message that is sent now", async (scene) =>
    scene.simulator.post("payments", { id: await messageOf(scene), status: "captured" }),
  ),
];

const TEMPLATES: readonly Kind[] = [
  template("approved", "a template was approved"),
  template("rejected", "a template was rejected"),
  template("paused", "a template was paused for its quality"),
  template("disabled", "a template was disabled"),
  template("in_appeal", "the rejection of a template is appealed"),
  template("flagged", "the quality of a template is low"),
  news("template_quality_changed", "the quality of a template changes", ({ quality }) => ({
    score: quality === "yellow" ? "GREEN" : "YELLOW",
  })),
  news("template_category_changed", "the category of a template changes", ({ category }) => ({
    category: category === "marketing" ? "UTILITY" : "MARKETING",
  })),
  news("template_components_changed", "the content of a template changes", () => ({
    components: [{ type: "BODY", text: `The content as of ${new Date().toISOString()}.` }],
  })),
];

const ACCOUNTS: readonly Kind[] = [
  account("account_changed", "news of the account: --event, ACCOUNT_VIOLATION by default", "ACCOUNT_VIOLATION"),
  account(
    "permissions_changed",
    "the app may do more with the account: --event, PARTNER_ADDED by default",
    "PARTNER_ADDED",
  ),
  account(
    "signup_revoked",
    "the account is no longer shared: it is disconnected until it is connected again",
    "PARTNER_REMOVED",
  ),
  kind("phone_number_changed", "the messaging limit changes, to --limit if it is given", async (scene) => {
    const { simulator, accountId, messagingLimit, given } = scene;
    const limit = given["limit"] ?? (messagingLimit === 1_000 ? "TIER_2K" : "TIER_1K");
    return await simulator.put(`accounts/${accountId}/messaging-limit`, { limit });
  }),
  marketing("opted_out", "a person stops marketing"),
  marketing("opted_in", "a person takes marketing again"),
];

export const KINDS: readonly Kind[] = [...MESSAGES, ...STATUSES, ...TEMPLATES, ...ACCOUNTS];
