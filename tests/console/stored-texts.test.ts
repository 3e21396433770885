import { beforeAll, expect, test, vi } from "vitest";
import { PDF } from "../../packages/server/src/features/media/testing/files.ts";
import { upload } from "../../packages/server/src/features/media/testing/uploading.ts";
import { callbackOf, postCallback, statusOf } from "../../packages/server/src/testing/callback.ts";
import { OPERATOR_KEY } from "../../packages/server/src/testing/gateway.ts";
import { PATIENCE } from "../../packages/server/src/testing/patience.ts";
import { mine, setScene, stage, visitor } from "./scene.ts";
import type { Visitor } from "./stage.ts";

// Scripts in what people, programs, the operator and the provider have written, on the pages that show it.
const MARKUP = "<img src=x onerror=alert(1)>";
const PERSON = "+15551230041";
let pages: readonly string[];

setScene();
beforeAll(async () => {
  pages = await pagesWithMarkup();
});

/** Calls that must work; resolves with what the gateway made. */
async function made(
  method: "POST" | "PATCH",
  path: string,
  body: object,
): Promise<{ id: string; [key: string]: string }> {
  const { status, text, body: shown } = await mine.call(method, path, { body });
  if (status >= 300) throw new Error(`${path}: ${text}`);
  return shown;
}

/** Writes the markup wherever it may be written; resolves with the addresses of pages that show it. */
async function pagesWithMarkup(): Promise<string[]> {
  const { gateway } = stage;
  await gateway.operator("PATCH", `/admin/v1/workspaces/${mine.id}`, { body: { name: MARKUP } });
  const { contact_id: contact } = await mine.inbound(PERSON, MARKUP);
  await made("PATCH", `/v1/contacts/${contact}`, { name: MARKUP, attributes: { note: MARKUP } });
  const file = await upload(gateway, mine, PDF, { filename: MARKUP, type: "application/pdf" });
  const document = { id: file.body.id, filename: MARKUP, caption: MARKUP };
  const sent = await made("POST", "/v1/messages", { to: PERSON, type: "document", document });
  const refused = await refusedMessage();
  const template = await rejectedTemplate();
  const endpoint = await made("POST", "/v1/webhook-endpoints", {
    url: "http://127.0.0.1:9/",
    events: ["failed"],
    description: MARKUP,
  });
  await made("POST", "/v1/api-keys", { name: MARKUP, scopes: ["messages:read"] });
  const filter = { field: "name", op: "eq", value: MARKUP };
  const segment = await made("POST", "/v1/segments", { name: MARKUP, filter });
  return [
    `/messages/${sent.id}?tab=content`,
    `/messages/${refused}`,
    `/messages/${refused}?tab=raw`,
    "/contacts",
    `/contacts/${contact}`,
    `/segments/${segment.id}`,
    `/templates/${template}`,
    "/endpoints",
    `/endpoints/${endpoint.id}?tab=settings`,
    "/settings/keys",
    `/conversations/${contact}/${mine.phoneNumberId}`,
  ];
}

/** A message that failed with an error in the provider's words. */
async function refusedMessage(): Promise<string> {
  const { body } = await mine.send("+15551230042");
  const { provider_message_id: wamid } = await mine.becomes(body.id, "accepted");
  const errors = [{ code: 131_026, title: MARKUP, message: MARKUP, error_data: { details: MARKUP } }];
  const report = statusOf(wamid, "failed", stage.gateway.clock.now(), { errors });
  await postCallback(stage.gateway, callbackOf(mine.account, report));
  await mine.becomes(body.id, "failed");
  return body.id;
}

/** A template with the markup in its body, which the provider has refused for such a reason. */
async function rejectedTemplate(): Promise<string> {
  const { id, provider_template_id: own = "" } = await made("POST", "/v1/templates", {
    name: "odd_texts",
    language: { code: "en_US" },
    category: "utility",
    components: [{ type: "BODY", text: `Hello ${MARKUP} there` }],
  });
  stage.gateway.simulator.decideTemplate(own, { status: "REJECTED", reason: MARKUP });
  await vi.waitFor(async () => {
    const { status } = (await mine.call("GET", `/v1/templates/${id}`)).body;
    if (status !== "rejected") throw new Error(`the template is ${status}`);
  }, PATIENCE);
  return id;
}

async function expectText({ page, faults }: Visitor, where: string): Promise<void> {
  await page.getByRole("main").getByText(MARKUP).filter({ visible: true }).first().waitFor();
  const elements = await page.evaluate("document.querySelectorAll('[src=x], [onerror]').length");
  expect([where, elements, faults]).toEqual([where, 0, []]);
}

test("markup in stored texts is shown as the text that it is", async () => {
  const { page, faults } = visitor;
  page.on("dialog", (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await visitor.signIn(mine.key, pages[0]);
  await page.getByRole("banner").getByText(MARKUP).waitFor();
  for (const at of pages) {
    await visitor.go(at);
    await expectText(visitor, at);
  }
  // The last of them is the conversation.
  await page.getByRole("button", { name: "Show", exact: true }).click();
  await page.getByRole("link", { name: `Save ${MARKUP}` }).waitFor();
  await expectText(visitor, "a file's name");

  const operator = await stage.open();
  await operator.signIn(OPERATOR_KEY, "/operator/workspaces");
  await expectText(operator, "/operator/workspaces");
  await operator.go(`/operator/workspaces/${mine.id}`);
  await expectText(operator, "a workspace");
  await operator.leave();
});
