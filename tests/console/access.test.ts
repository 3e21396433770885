import { mkdirSync } from "node:fs";
import { afterAll, beforeAll, describe, test } from "vitest";
import { OPERATOR_KEY } from "../../packages/server/src/testing/gateway.ts";
import { expectAccessible } from "./accessible.ts";
import { namesIn } from "./named.ts";
import { FORMS, isWhole, OPERATOR_PAGES, PAGES, type PageState } from "./pages.ts";
import { openStage, type Stage, type Visitor } from "./stage.ts";
import { openWorkspace, type TestWorkspace } from "./workspace.ts";

// Every page as readers of screens and people with weak eyes have it, in its forms; and that no page scrolls sideways.
let stage: Stage;
let workspace: TestWorkspace;

/** Where pictures go, to be looked at; they are compared with nothing. */
const PICTURES = "dist/console-pictures";

beforeAll(async () => {
  stage = await openStage();
  workspace = await openWorkspace(stage);
  if (isWhole) mkdirSync(PICTURES, { recursive: true });
});
afterAll(async () => {
  await workspace?.close();
  await stage?.stop();
});

describe.each(FORMS)("$scheme at $width pixels, in $language, $rows", ({ scheme, width, language, rows }) => {
  let named: Awaited<ReturnType<typeof namesIn>>;
  beforeAll(async () => {
    named = await namesIn(language);
  });
  const look = async (visitor: Visitor, what: string): Promise<void> => {
    await expectAccessible(visitor.page, what);
    if (!isWhole) return;
    const file = `${what.replaceAll(/[^\w]+/g, "-").replaceAll(/^-|-$/g, "") || "home"}-${language}-${scheme}-${width}-${rows}.png`;
    await visitor.page.screenshot({ path: `${PICTURES}/${file}`, fullPage: true });
  };
  const each = async (visitor: Visitor, pages: readonly PageState[]): Promise<void> => {
    for (const page of pages) {
      await visitor.turn(workspace.addressOf(page));
      await visitor.page
        .getByRole(page.role, { name: named(page.name) })
        .first()
        .waitFor();
      await look(visitor, page.at);
    }
  };

  test("the pages of a workspace", { timeout: 300_000 }, async () => {
    const visitor = await stage.open({ scheme, width, language, rows });
    await visitor.go("/sign-in");
    await visitor.page.getByLabel(named("Key", true), { exact: true }).waitFor();
    await look(visitor, "/sign-in");
    await visitor.signIn(workspace.mine.key);
    await visitor.go("/messages");
    const [button, opened] = width === 390 ? (["Filters", "dialog"] as const) : (["Filter", "menu"] as const);
    await visitor.page.getByRole("button", { name: named(button, true), exact: true }).click();
    await visitor.page.getByRole(opened).waitFor();
    await look(visitor, "the filters");
    await each(visitor, PAGES);
    await visitor.leave();
  });

  test("the pages of the operator", { timeout: 300_000 }, async () => {
    const visitor = await stage.open({ scheme, width, language, rows });
    await visitor.signIn(OPERATOR_KEY);
    await each(visitor, OPERATOR_PAGES);
    await visitor.leave();
  });
});
