import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Gateway, startGateway, type Workspace } from "../../../testing/gateway.ts";
import { addAccount, allowIn, begin, codeFor, completed, failed, nextOf } from "./testing/signups.ts";

const PUBLIC_URL = "https://gateway.example/messages";
let gateway: Gateway;
let mine: Workspace;
let theirs: Workspace;
beforeAll(async () => {
  gateway = await startGateway({ PROVIDER_SIGNUP_CONFIG_ID: "84", PUBLIC_URL });
  [mine, theirs] = [await gateway.workspace(), await gateway.workspace()];
});
afterAll(() => gateway.stop());

const configOf = async ({ call }: Pick<Workspace, "call">) => (await call("GET", "/v1/embedded-signups/config")).body;

describe("the dialog", () => {
  it("is null until the operator has set it up, and says where it would return to", async () => {
    const other = await startGateway({ PROVIDER_SIGNUP_CONFIG_ID: "" });
    try {
      const of = await other.workspace();
      const { status, body } = await of.call("POST", "/v1/setup-links");
      expect([status, body.detail]).toEqual([409, expect.stringContaining("PROVIDER_SIGNUP_CONFIG_ID")]);
      expect(await configOf(of)).toEqual({
        dialog_url: null,
        app_id: "42",
        config_id: null,
        redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/signup\/return$/),
      });
    } finally {
      await other.stop();
    }
  });

  it("leads to a connected account, by the address that its code came to", async () => {
    const config = await configOf(mine);
    const redirect_uri = `${PUBLIC_URL}/signup/return`;
    expect(config).toEqual({ dialog_url: expect.any(String), app_id: "42", config_id: "84", redirect_uri });
    const account = addAccount({ gateway });
    const back = await allowIn(`${config.dialog_url}&state=of-this-tab`, account);
    expect([back.origin + back.pathname, back.searchParams.get("state")]).toEqual([redirect_uri, "of-this-tab"]);
    const code = back.searchParams.get("code") ?? "";
    expect(await completed(mine, await begin(mine, { code, redirect_uri }))).toMatchObject({
      provider_account_id: account.wabaId,
    });
  });

  it("gives a code that is refused without its address, until a new one is resumed with", async () => {
    const { dialog_url, redirect_uri } = await configOf(mine);
    const account = addAccount({ gateway });
    const code = (await allowIn(dialog_url, account)).searchParams.get("code") ?? "";
    const id = await begin(mine, { code });
    expect(nextOf(await failed(mine, id))).toMatchObject({ name: "exchange", error: { code: "code_rejected" } });
    const resume = (body: object) => mine.call("POST", `/v1/embedded-signups/${id}/resume`, { body });
    expect((await resume({ redirect_uri })).body.errors).toMatchObject([{ pointer: "/redirect_uri" }]);
    const again = (await allowIn(dialog_url, account)).searchParams.get("code") ?? "";
    expect((await resume({ code: again, redirect_uri })).status).toBe(202);
    await completed(mine, id);
  });
});

describe("the list of signups", () => {
  it("has those of the workspace, the newest first, by pages", async () => {
    const ids: string[] = [];
    for (const _ of ["one", "another"]) {
      const id = await begin(theirs, { code: codeFor({ gateway }, [addAccount({ gateway })]) });
      ids.unshift((await completed(theirs, id)).id);
    }
    const list = async (query: string) => (await theirs.call("GET", `/v1/embedded-signups?${query}`)).body;
    const all = await list("");
    expect(all.data.map(({ id }: { id: string }) => id)).toEqual(ids);
    expect(all.data[0]).toEqual((await theirs.call("GET", `/v1/embedded-signups/${ids[0]}`)).body);
    const first = await list("limit=1");
    const second = await list(`limit=1&cursor=${first.next_cursor}`);
    expect([first.data[0].id, second.data[0].id, second.next_cursor]).toEqual([...ids, null]);
  });
});
