import { describe, expect, it } from "vitest";
import { cleanAnswer, cleanError, idsOf, type Known } from "./answer.ts";
import { Secrets } from "./secrets.ts";

const TOKEN = "EAASIM90001/x+y";
const PROOF = "c09ac0ddf99f31388dbbeb667597087f484a81baaaafb0d0100555f0358315ae";
const APP = "424242424242";
const known: Known = {
  secrets: new Secrets([TOKEN, PROOF, "app-secret-of-tests", null, "", "abc"]),
  ours: new Set(["90001", "60001", "70001"]),
  foreign: new Set(["90002", "60002", "70002"]),
  appId: APP,
};
const next = (query: URLSearchParams): string => `https://gateway.example/60001/message_qrdls?${query.toString()}`;
const clean = (body: unknown) => cleanAnswer(body, known, next);

const escaped = (text: string, write: (code: string) => string): string =>
  text
    .split("")
    .map((one) => write(one.charCodeAt(0).toString(16).padStart(2, "0")))
    .join("");

describe("secrets in an answer", () => {
  it.each([
    ["as they are", TOKEN],
    ["within an address", `https://graph.example/v26.0/1?access_token=${encodeURIComponent(TOKEN)}&a=1`],
    ["encoded twice", encodeURIComponent(encodeURIComponent(TOKEN))],
    ["encoded whole", escaped(TOKEN, (hex) => `%${hex.toUpperCase()}`)],
    ["encoded three times", escaped(TOKEN, (hex) => `%2525${hex}`)],
    ["in escapes of JSON", escaped(TOKEN, (hex) => `\\u00${hex}`)],
    ["in escapes of JSON within JSON", escaped(TOKEN, (hex) => `\\\\u00${hex}`)],
    ["in escapes of a script", escaped(TOKEN, (hex) => `\\x${hex}`)],
    ["as HTML", escaped(TOKEN, (hex) => `&#x${hex};`)],
    [
      "as HTML with numbers",
      TOKEN.split("")
        .map((one) => `&#${one.charCodeAt(0)};`)
        .join(""),
    ],
    ["with what is not seen between", TOKEN.split("").join("\u200b")],
    ["in base64", Buffer.from(TOKEN).toString("base64")],
    ["another workspace's token", `EAA${"b9Z".repeat(30)}`],
    ["the proof", `appsecret_proof=${PROOF}`],
    ["the app's secret", "app-secret-of-tests"],
  ])("are removed %s, in values, lists and names", (_how, secret) => {
    const answer = JSON.stringify(
      clean({ a: `x ${secret} y`, list: [{ b: [secret] }], [secret]: 1, error: { c: secret } }),
    );
    expect(answer).toBe(
      JSON.stringify({
        a: answer.includes("access_token=")
          ? "x https://graph.example/v26.0/1?access_token=[hidden]&a=1 y"
          : answer.includes("appsecret_proof=")
            ? "x appsecret_proof=[hidden] y"
            : "x [hidden] y",
        list: [{ b: [JSON.parse(answer).list[0].b[0]] }],
        [Object.keys(JSON.parse(answer))[2] ?? ""]: 1,
        error: { c: JSON.parse(answer).error.c },
      }),
    );
    expect(answer).not.toContain(secret);
    expect(answer.match(/\[hidden\]/g)).toHaveLength(4);
  });

  it("leave other texts as they are", () => {
    const body = {
      code: "4O4YGZEG3RIVE1",
      deep_link_url: "https://wa.me/message/4O4YGZEG3RIVE1",
      abc: "abc",
      e: "EAA short",
    };
    expect(clean(body)).toEqual(body);
  });
});

describe("what is of others", () => {
  it.each([
    ["an account", { id: "90002", name: "Theirs" }],
    ["a number", { id: "60002", display_phone_number: "+1 555" }],
    ["a number as a number", { id: 60_002, display_phone_number: "+1 555" }],
    ["something of a number", { code: "X", prefilled_message: "Theirs", owner: "60002" }],
    ["an account that is not known here, by its name", { whatsapp_business_account_id: "99999", name: "Theirs" }],
    ["a number that is not known here, by its name", { phone_number_id: "99999", name: "Theirs" }],
    ["the gateway's app", { id: APP, name: "Gateway" }],
  ])("is left out of lists: %s", (_what, theirs) => {
    expect(clean({ data: [theirs, { code: "A" }, { nested: { deeper: theirs }, b: 1 }] })).toEqual({
      data: [{ code: "A" }, { nested: {}, b: 1 }],
    });
  });

  it("is left out where a field leads to it", () => {
    const body = {
      id: "550",
      whatsapp_business_account: { id: "99999", name: "Theirs" },
      application: { id: "1", name: "Gateway" },
      owner_business_info: { id: "99999" },
      phone_numbers: { data: [{ id: "60001" }, { id: "60002" }] },
    };
    expect(clean(body)).toEqual({ id: "550", phone_numbers: { data: [{ id: "60001" }] } });
    const ours = {
      id: "550",
      whatsapp_business_account: { id: "90001", name: "Ours" },
      owner_business: { id: "70001" },
    };
    expect(clean(ours)).toEqual(ours);
  });

  it("is left out of what an object's health depends on", () => {
    const entity = (entity_type: string, id: string) => ({ entity_type, id, can_send_message: "AVAILABLE" });
    const entities = [
      entity("WABA", "90001"),
      entity("WABA", "99999"),
      entity("BUSINESS", "70002"),
      entity("PHONE_NUMBER", "60001"),
      entity("APP", "1"),
    ];
    expect(clean({ health_status: { can_send_message: "AVAILABLE", entities } })).toEqual({
      health_status: { can_send_message: "AVAILABLE", entities: [entities[0], entities[3]] },
    });
  });

  it("is all of an answer but its list, and whether it was done", () => {
    const theirs = { id: "90002", name: "Theirs", success: true, data: [{ id: "60002" }, { code: "A" }] };
    expect(clean(theirs)).toEqual({ success: true, data: [{ code: "A" }] });
    expect(clean([{ id: "60002" }])).toEqual({});
    expect(clean("60002")).toEqual({});
  });

  it("is not named in texts and names of fields either", () => {
    expect(
      clean({ link: "https://x.example/90002/60001?app_id=424242424242", "60002": { a: 1 }, a: "x60002y" }),
    ).toEqual({
      link: "https://x.example/[hidden]/60001?app_id=[hidden]",
      "[hidden]": { a: 1 },
      a: "x[hidden]y",
    });
  });

  it("counts as such only where it is an id", () => {
    const body = { start: 1_760_000_002, count: 6000, list: [["60001", 5]], longer: "160002600021" };
    expect(clean(body)).toEqual(body);
  });

  it("is looked for among all that may be an id", () => {
    expect(
      idsOf({
        a: "90002",
        b: [60_002, "x/70001?y=70002", 12],
        "80001": { c: "1234" },
        d: true,
        e: "12345678901234567",
      }).sort(),
    ).toEqual(["12345678901234567", "60002", "70001", "70002", "80001", "90002"]);
  });
});

describe("pages", () => {
  const nextOf = (address: string) => clean({ data: [], paging: { cursors: { after: "B" }, next: address } });

  it("lead here, with the place and nothing else of the provider's address", () => {
    const address = `https://graph.example/v26.0/60001/message_qrdls?access_token=${TOKEN}&appsecret_proof=${PROOF}&limit=2&after=B&fields=x`;
    expect(nextOf(address)).toEqual({
      data: [],
      paging: { cursors: { after: "B" }, next: "https://gateway.example/60001/message_qrdls?limit=2&after=B" },
    });
  });

  it("have no secret in their cursors", () => {
    const body = {
      paging: { cursors: { after: TOKEN }, next: `https://graph.example/x?after=${TOKEN}`, other: TOKEN },
    };
    expect(clean(body)).toEqual({
      paging: {
        cursors: { after: "[hidden]" },
        next: "https://gateway.example/60001/message_qrdls?after=%5Bhidden%5D",
      },
    });
  });

  it("of lists within have cursors alone", () => {
    const paging = { cursors: { after: "B" }, next: "https://graph.example/90001/flows?after=B" };
    expect(clean({ flows: { data: [], paging } })).toEqual({
      flows: { data: [], paging: { cursors: { after: "B" } } },
    });
  });

  it.each(["", "nothing", 5, null])("without an address lead nowhere: %j", (address) => {
    expect(clean({ paging: { next: address } })).toEqual({});
  });
});

describe("the provider's refusal", () => {
  it("is its envelope, without secrets and others", () => {
    const error = {
      message: `(#100) Object with ID '90002' does not exist, token ${TOKEN}`,
      type: "GraphMethodException",
      code: 100,
      error_subcode: 33,
      is_transient: false,
      error_data: { messaging_product: "whatsapp", details: `See 60001 ${encodeURIComponent(TOKEN)}` },
      fbtrace_id: "AbC",
      debug: TOKEN,
    };
    expect(cleanError({ error, more: TOKEN }, known)).toEqual({
      error: {
        message: "(#100) Object with ID '[hidden]' does not exist, token [hidden]",
        type: "GraphMethodException",
        code: 100,
        error_subcode: 33,
        is_transient: false,
        error_data: { messaging_product: "whatsapp", details: "See 60001 [hidden]" },
        fbtrace_id: "AbC",
      },
    });
  });

  it("has the fields that every client reads", () => {
    expect(cleanError({ error: { code: 2 } }, known)).toEqual({
      error: { message: "", type: "OAuthException", code: 2 },
    });
  });

  it.each([null, {}, { error: "x" }, { error: { code: "x" } }, []])("is none: %j", (body) => {
    expect(cleanError(body, known)).toBeNull();
  });
});
