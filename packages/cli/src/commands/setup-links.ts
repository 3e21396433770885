import type { SetupLinkInput } from "@waypost/sdk";
import { type Group, ID, lists, shows } from "./command.ts";

const LINK = ID("stl_", "the link");

/** Below `account`: links by which a client without a key connects their account. */
export const setupLinks: Group = {
  name: "setup-link",
  does: "links by which a client connects their account, without a key",
  commands: [
    lists({
      name: "list",
      does: "list setup links, also those that are over, the newest first",
      key: "workspace",
      operation: "setupLinks.list",
      example: "account setup-link list",
      columns: ["id", "status", "expires_at", "embedded_signup_id", "return_url", "created_at"],
      rows: async function* ({ workspace }, query) {
        yield* (await workspace()).setupLinks.list(query);
      },
    }),
    shows({
      name: "create",
      does: "create a setup link; its address, to be sent to the client alone, is printed only once",
      key: "workspace",
      operation: "setupLinks.create",
      example: "account setup-link create --return-url https://shop.example/connected",
      options: [
        { name: "return_url", does: "https, where the page sends the client afterwards" },
        { name: "expires_at", does: "in 7 days at most; in 24 hours by default", kind: "time" },
      ],
      one: async ({ workspace, given }) => (await workspace()).setupLinks.create(given as SetupLinkInput), // named as the API's
    }),
    shows({
      name: "show",
      does: "show a setup link, with the signup that was begun by it",
      key: "workspace",
      operation: "setupLinks.get",
      example: "account setup-link show stl_01jd0000000000000000000000",
      argument: LINK,
      one: async ({ workspace, argument }) => (await workspace()).setupLinks.get(argument),
    }),
    shows({
      name: "revoke",
      does: "revoke a setup link: its page does nothing any more",
      key: "workspace",
      operation: "setupLinks.delete",
      example: "account setup-link revoke stl_01jd0000000000000000000000",
      argument: LINK,
      one: async ({ workspace, argument }) => {
        const { setupLinks: links } = await workspace();
        await links.delete(argument);
        return await links.get(argument);
      },
    }),
  ],
};
