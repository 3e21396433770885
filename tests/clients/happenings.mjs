// Everything that the simulator can report, one by one: `collect(name, run)` runs each and takes what was posted of it.
import { ACCOUNT, NUMBER, PERSON } from "./people.mjs";

/** What people, the owner's phone and other responders do. */
export async function happenBesideSends(collect, simulator, kinds) {
  await collectMessages(collect, simulator, kinds);
  await collectCalls(collect, simulator);
  await collectPhone(collect, simulator);
  await collectThreads(collect, simulator);
  await collectPeople(collect, simulator);
}

/** The news of templates and of the account, at the end of which it is no longer connected. */
export async function happenToAccount(collect, simulator, kinds) {
  await collectTemplateNews(collect, simulator);
  await collectAccountNews(collect, simulator, kinds);
}

const OF_NUMBER = { phone_number_id: NUMBER };
const OF_PERSON = { ...OF_NUMBER, person: PERSON };
const GROUP = "Y2FwaV9ncm91cDox";

async function collectMessages(collect, simulator, { INBOUND_SAMPLES }) {
  const write = (name, more) => collect(name, () => simulator.inbound({ ...OF_NUMBER, from: PERSON, ...more }));
  for (const sample of INBOUND_SAMPLES) await write(sample, { sample });
  await write("hidden number", { text: "Hi", number_hidden: true });
  await write("as before user ids", { text: "Hi", user_ids: false });
  await write("edit in a group", { sample: "edit", group_id: GROUP });
  await write("revoke in a group", { sample: "revoke", group_id: GROUP });
  await write("summary of a conversation", {
    text: "And the blue one?",
    conversation_context: { type: "summary", summary: { text: "Ana asked when her order comes." } },
  });
  await write("identity beside contacts", { sample: "system", with_contacts: true });
  const permission = { response_source: "user_action" };
  for (const call_permission_reply of [
    { ...permission, response: "reject" },
    { ...permission, response: "accept", is_permanent: true },
    { response: "accept", response_source: "automatic", expiration_timestamp: 1_790_604_800 },
  ])
    await write("permission to call", {
      type: "interactive",
      interactive: { type: "call_permission_reply", call_permission_reply },
    });
  await collect("contact card", () =>
    simulator.contactCard({ ...OF_NUMBER, from: PERSON, origin: "contact_request", phone: PERSON }),
  );
  await collect("errors", () => simulator.errors(OF_NUMBER));
  await collect("user action", () => simulator.userAction(OF_NUMBER));
}

export const TEMPLATE = { type: "template", template: { name: "order_ready", language: { code: "en_US" } } };

/** `sendTo(person, content)` sends a message, and resolves with the provider's id of it. */
export async function collectStatuses(collect, simulator, sendTo) {
  const recipients = {
    statuses: PERSON,
    failed: "+12025550101",
    "failed late": "+12025550137",
    played: "+12025550138",
    deleted: "+12025550139",
    warning: "+12025550140",
  };
  for (const [name, to] of Object.entries(recipients)) await collect(`status ${name}`, () => sendTo(to));
  const audio = { type: "audio", audio: { link: "https://cdn.example/a.ogg", voice: true } };
  simulator.setDelays({ playedMs: 0 });
  await collect("status of a voice message", () => sendTo(PERSON, audio));
  simulator.setDelays({ statuses: false });
  const id = await sendTo(PERSON);
  for (const status of ["sent", "delivered", "read", "played", "failed"])
    await collect(`status of a group ${status}`, () => simulator.status({ ...OF_PERSON, id, status, group_id: GROUP }));
  for (const status of ["pending", "captured", "failed"])
    await collect(`payment ${status}`, () => simulator.payment({ id, status }));
  simulator.setDelays({ statuses: true, playedMs: 0 });
}

/** Each kind of price, and the manners in which statuses were reported before. */
export async function collectPrices(collect, simulator, sendTo) {
  const text = { type: "text", text: { body: "Hi" } };
  const priced = (name, content = text) => collect(`price ${name}`, () => sendTo(PERSON, content));
  await priced("among the free");
  simulator.setServiceUse(NUMBER, 1_000);
  await priced("beyond the free");
  simulator.setAccount(ACCOUNT, { paid_exempt: true });
  await priced("of an exempt account");
  simulator.setAccount(ACCOUNT, { paid_exempt: false, payment_method: false });
  await priced("without means of payment");
  simulator.setAccount(ACCOUNT, { payment_method: true });
  simulator.setSettings({ billableField: false });
  await priced("without billable", TEMPLATE);
  simulator.setSettings({ billableField: true, callbackVersion: 23 });
  await priced("with a conversation", TEMPLATE);
  simulator.setSettings({ callbackVersion: 26, statusContacts: false });
  await priced("without contacts", TEMPLATE);
  simulator.setSettings({ statusContacts: true });
  simulator.inbound({ ...OF_NUMBER, from: PERSON, sample: "referral", report: false });
  await priced("of an entry point");
}

async function collectCalls(collect, simulator) {
  const call = (name, more) => collect(`call ${name}`, () => simulator.call({ ...OF_PERSON, ...more }));
  await call("connect", {});
  await call("connect by business", { from_business: true, biz_opaque_callback_data: "o" });
  await call("terminate", { event: "terminate", duration: 59 });
  await call("terminate by business", { event: "terminate", from_business: true, biz_opaque_callback_data: "o" });
  const error = { code: 138001, title: "Call failed", message: "Call failed", error_data: { details: "No answer." } };
  await call("failed", { event: "terminate", status: "FAILED", from_business: true, errors: [error] });
  for (const status of ["RINGING", "ACCEPTED", "REJECTED"]) await call(status, { status });
}

/** What the owner does in the WhatsApp Business app. */
async function collectPhone(collect, simulator) {
  const echo = (name, more) => collect(`echo ${name}`, () => simulator.echo({ ...OF_NUMBER, to: PERSON, ...more }));
  const edited = { original_message_id: "wamid.ECHO1", message: { type: "text", text: { body: "Until seven" } } };
  await echo("text", { text: "From the phone" });
  await echo("without contacts", { text: "From the phone", with_contacts: false, user_ids: false });
  await echo("edit", { type: "edit", edit: edited });
  await echo("revoke", { type: "revoke", revoke: { original_message_id: "wamid.ECHO1" } });
  await echo("of another app", { text: "From elsewhere", field: "message_echoes" });
  await collect("history", () => simulator.history({ ...OF_NUMBER, threads: [{ person: PERSON }] }));
  await collect("history declined", () => simulator.history({ ...OF_NUMBER, declined: true }));
  for (const action of ["add", "remove"])
    await collect(`app state ${action}`, () =>
      simulator.appState({ ...OF_NUMBER, contacts: [{ person: PERSON, full_name: "Ana", action }] }),
    );
}

/** A conversation that another responder takes, answers and passes on. */
async function collectThreads(collect, simulator) {
  simulator.inbound({ ...OF_NUMBER, from: PERSON, text: "Hi", report: false });
  const thread = (name, more) => collect(`thread ${name}`, () => simulator.thread({ ...OF_PERSON, ...more }));
  await thread("written", { action: "write", text: "I am the agent", id: "wamid.AGENT" });
  await thread("status", { action: "status", id: "wamid.AGENT", status: "delivered" });
  await collect("thread answered", () => simulator.inbound({ ...OF_NUMBER, from: PERSON, text: "Thanks" }));
  await thread("passed", { action: "pass", metadata: "m" });
  await thread("taken", { action: "take" });
  await thread("passed back", { action: "pass" });
}

async function collectPeople(collect, simulator) {
  // Of two of one second the stop counts.
  let timestamp = Math.floor(Date.now() / 1_000) - 10;
  for (const value of ["stop", "resume", "signup"]) {
    timestamp += 1;
    const said = { ...OF_PERSON, value, timestamp, ...(value === "signup" ? { signup_id: "s1" } : {}) };
    await collect(`marketing ${value}`, () => simulator.setMarketing(said));
  }
  await collect("user id change", () => simulator.changeUserId(OF_PERSON));
  await collect("user id change with number", () => simulator.changeUserId({ ...OF_PERSON, with_number: true }));
  await collect("number change", () => simulator.changeNumber({ ...OF_PERSON, to: "+15550003333" }));
  const back = { ...OF_NUMBER, person: "+15550003333", to: PERSON };
  await collect("number change, older", () => simulator.changeNumber({ ...back, kind: "customer_changed_number" }));
}

async function collectAccountNews(collect, simulator, { ACCOUNT_EVENTS, ACCOUNT_FIELDS }) {
  for (const event of Object.keys(ACCOUNT_EVENTS))
    await collect(event, () => simulator.accountEvent({ waba_id: ACCOUNT, event }));
  for (const field of Object.keys(ACCOUNT_FIELDS))
    await collect(field, () => simulator.accountEvent({ waba_id: ACCOUNT, field }));
  simulator.setNumber(NUMBER, { waac_id: "880001" });
  await collect("account of a number", () => simulator.inbound({ ...OF_NUMBER, from: PERSON, text: "Hi" }));
  simulator.setNumber(NUMBER, { waac_id: null });
}

const DECISIONS = [
  ..."PAUSED REJECTED APPROVED PENDING IN_APPEAL FLAGGED REINSTATED LOCKED LIMIT_EXCEEDED".split(" "),
  ..."ARCHIVED UNARCHIVED PENDING_DELETION DELETED DISABLED".split(" "),
];

/** In the language as the documentation's samples have it, and as the API does. */
async function collectTemplateNews(collect, simulator) {
  const id = "1689556908129832";
  for (const templateLanguages of ["tag", "code"]) {
    simulator.setSettings({ templateLanguages });
    const news = (name, run) => collect(`template ${name} (${templateLanguages})`, run);
    for (const score of ["GREEN", "YELLOW", "RED", "UNKNOWN"])
      await news(`quality ${score}`, () => simulator.changeQuality(id, { score }));
    await news("category", () => simulator.changeCategory(id, { category: "MARKETING" }));
    await news("category to be", () => simulator.changeCategory(id, { category: "UTILITY", impending: true }));
    await news("category detected", () => simulator.changeCategory(id, { category: "UTILITY", detected: true }));
    await news("components", () => simulator.changeComponents(id));
    for (const status of DECISIONS) await news(status, () => simulator.decideTemplate(id, { status, apply: false }));
  }
}
