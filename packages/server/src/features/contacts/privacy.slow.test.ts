import { afterAll, beforeAll, expect, it } from "vitest";
import type { OfPeople } from "../../forgetting.ts";
import { documentedChanges } from "../../provider/whatsapp/testing/documented.ts";
import { goldenNames } from "../../provider/whatsapp/testing/golden.ts";
import { postCallback } from "../../testing/callback.ts";
import { DECLARED } from "../../testing/declared.ts";
import { tablesWith } from "../../testing/dump-tables.ts";
import { type Gateway, type Sender, startGateway } from "../../testing/gateway.ts";
import { goldenText, OWN_MESSAGES, withIdsOf } from "../ingress/testing/golden-texts.ts";
import { countAllMessages } from "../metrics/counting.ts";

// Every documented callback with a mark in each text, name, number and id of a person: after an erasure they are nowhere but where
// docs/privacy.md says.
let gateway: Gateway;
beforeAll(async () => {
  gateway = await startGateway({ API_RATE_LIMIT: "off" });
});
afterAll(() => gateway.stop());

const PATIENCE = { timeout: 60_000, interval: 50 };

const MARKS: Readonly<Record<OfPeople, string>> = {
  text: "Qmark",
  number: "(^|[^0-9])1777\\d{7}([^0-9]|$)",
  user_id: "[A-Z]\\.777\\d",
  provider_id: "QIDmark",
};

/** What the provider says itself, or what its documents are read by. Everything else is marked. */
const SAID_BY_PROVIDER = new Set(
  `object field type status timestamp event direction action category value messaging_product phone_number_id
  display_phone_number sub_type subtype sdp_type role new_owner_role previous_owner_role recipient_type pricing_model error_data code title
  message details href mime_type sha256 source_type media_type language time group_id template_id signup_id origin reason
  click_component click_id tracking_token product_id
  restriction_type severity start_time end_time action_type event_name name_status conversation_type`.split(/\s+/),
);
const NUMBER = /^\+?1555000(\d{4})$/;
const USER_ID = /^([A-Z]{2}\.(?:ENT\.)?)\d+/;
const PROVIDER_ID = /^(wamid|wacid)\./;

/** Provider ids of messages that were sent from here. */
const OWN = new Set<string>();

/** A document of the provider with marks; those of each `n` are of other people. */
function marked(value: unknown, n: number, key = ""): unknown {
  if (Array.isArray(value)) return value.map((one) => marked(one, n, key));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => {
        const isOfTemplate = key === "template" && name === "name";
        return [name, isOfTemplate ? inner : marked(inner, n, name)];
      }),
    );
  if (typeof value !== "string") return value;
  const of = String(n).padStart(3, "0");
  if (NUMBER.test(value)) return value.replace(NUMBER, `1777${of}$1`);
  if (USER_ID.test(value)) return value.replace(USER_ID, `$1777${of}`).padEnd(20, "0");
  if (PROVIDER_ID.test(value)) return OWN.has(value) ? value : `${value}.QIDmark${of}`;
  if (SAID_BY_PROVIDER.has(key) || /^[\d.+-]*$/.test(value)) return value;
  return /^https?:/.test(value) ? `${value}?Qmark` : `${value} Qmark`;
}

/** Fields about accounts and templates say nothing of people. */
const OF_PEOPLE =
  /"(messages|message_echoes|smb_message_echoes|history|calls|smb_app_state_sync|user_preferences|user_id_update|consumer_profile|standby|messaging_handovers|automatic_events|group_participants_update|tracking_events)"/;

const idle = async (of: Sender): Promise<void> => {
  await expect.poll(() => gateway.app.db.sql.query("select from ingest"), PATIENCE).toEqual([]);
  const due = () =>
    of.rows("select kind from job where completed_at is null and kind in ('ingress.later', 'contacts.erase')");
  await expect.poll(async () => (await due()).length, PATIENCE).toBe(0);
};

async function eraseAll(of: Sender): Promise<number> {
  for (let erased = 0; ; ) {
    const { data } = (await of.call("GET", "/v1/contacts?limit=100")).body;
    if (data.length === 0) return erased;
    for (const { id } of data) erased += (await of.call("DELETE", `/v1/contacts/${id}`)).status === 204 ? 1 : 0;
  }
}

it("leaves nothing of people that docs/privacy.md does not name, whatever the provider has said of them", async () => {
  const [mine, ended] = [await gateway.sender(), await gateway.sender()];
  for (let n = 0; n < OWN_MESSAGES; n += 1) {
    const { id } = (await mine.send(`+1777999000${n}`)).body;
    OWN.add((await mine.becomes(id, "accepted")).provider_message_id);
  }
  const golden = goldenNames("callback-").map((name) => goldenText(name, mine.account, [...OWN]));
  const documents = documentedChanges().map(({ change }, n) => {
    const entry = [{ id: "9001", time: 1_790_000_100 + n, changes: [change] }];
    return withIdsOf(mine.account, JSON.stringify({ object: "whatsapp_business_account", entry })).replaceAll(
      '"wamid.',
      `"wamid.${n}.`,
    );
  });
  let posted = 0;
  for (const [n, text] of [...golden, ...documents].entries()) {
    const isOfPeople = OF_PEOPLE.test(text);
    const { account } = mine;
    // Some events end the connection of their account.
    const said = isOfPeople ? text : text.replaceAll(account.wabaId, ended.account.wabaId);
    let document: unknown = JSON.parse(said);
    if (isOfPeople) document = marked(document, n);
    expect((await postCallback(gateway, document as object)).status).toBe(200);
    posted += isOfPeople ? 1 : 0;
  }
  await idle(mine);
  expect(posted).toBeGreaterThan(150);
  // As its timer does, in the midst of this or behind it.
  await countAllMessages(gateway.app);
  const before = await tablesWith(gateway.database.url, MARKS);
  expect(before["contact"]).toEqual(["number", "text", "user_id"]);
  expect(before["message"]).toEqual(expect.arrayContaining(["number", "text"]));
  expect(await eraseAll(mine)).toBeGreaterThan(100);
  // What requests that were running meanwhile may have written is looked for a minute later.
  gateway.clock.advance(120_000);
  await idle(mine);

  const left = await tablesWith(gateway.database.url, MARKS);
  const tables = DECLARED.flatMap(({ forgets }) => Object.entries(forgets?.tables ?? {}));
  const allowed = new Map(tables.map(([table, { stays = [] }]) => [table, stays]));
  const tooMuch = Object.entries(left).flatMap(([table, kinds]) =>
    kinds.filter((kind) => !allowed.get(table)?.includes(kind as OfPeople)).map((kind) => `${table}: ${kind}`),
  );
  expect(tooMuch).toEqual([]);
}, 180_000);
