import { expect, it } from "vitest";
import { HOUR_MS } from "../../../lib/duration.ts";
import { takeTemplates } from "../testing/golden-templates.ts";
import { person, startSenders } from "../testing/senders.ts";
import { body, templateOf, text } from "../testing/template-parts.ts";

const senders = await startSenders({ API_RATE_LIMIT: "off" });
const { mine, gateway } = senders;

const define = (name: string, content: string) => ({
  name,
  language: "en_US",
  category: "UTILITY",
  components: [{ type: "BODY", text: content }],
});
/** For later: the provider, which has the old definition, would refuse it, and then the gateway would fetch that one again. */
const send = (name: string, ...texts: string[]) =>
  mine.call("POST", "/v1/messages", {
    body: {
      to: person(),
      type: "template",
      template: templateOf(name, body(...texts.map((one) => text(one)))),
      send_at: new Date(gateway.clock.now() + HOUR_MS).toISOString(),
    },
  });

/** As another process stores it: this one still has the old definition in its cache. */
const store = (name: string, content: string) =>
  gateway.app.db.transaction(mine.uuid, (sql) =>
    sql.run("update template set components = $3, revision = revision + 1 where workspace_id = $1 and name = $2", [
      mine.uuid,
      name,
      JSON.stringify([{ type: "BODY", text: content }]),
    ]),
  );

it("a definition that another process has stored counts for the next request, whichever of the two it fits", async () => {
  await takeTemplates(senders, [define("grows", "Hi {{1}}."), define("shrinks", "Hi {{1}}, {{2}}.")]);
  expect((await send("grows", "Ana")).status).toBe(202);
  expect((await send("shrinks", "Ana", "17")).status).toBe(202);
  await store("grows", "Hi {{1}}, {{2}}.");
  await store("shrinks", "Hi {{1}}.");

  // What fits the old one only passes the cache and is refused by the revision that the commit sees.
  expect((await send("grows", "Ana")).body).toMatchObject({
    code: "template_parameters_mismatch",
    errors: [{ pointer: "/template/components/0/parameters", code: "missing" }],
  });
  // What fits the new one only is not refused for the old one.
  expect((await send("shrinks", "Ana")).status).toBe(202);
  expect((await send("grows", "Ana", "17")).status).toBe(202);
  expect((await send("shrinks", "Ana", "17")).body.code).toBe("template_parameters_mismatch");
});
