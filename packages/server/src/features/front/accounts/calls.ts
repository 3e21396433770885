import type { App } from "../../../ctx.ts";
import type { Call, CallCtx } from "../../../http/call.ts";
import { notFound } from "../../../http/problem.ts";
import { formatId, parseId } from "../../../lib/ids.ts";
import type { BusinessAccount, PhoneNumber } from "../../accounts/schema.ts";
import { digitsOfUuid } from "../../media/digits.ts";
import { numberFields } from "../numbers/render.ts";
import type { ByKind } from "../objects/by-id.ts";
import { picked, wholePage } from "../objects/fields.ts";
import { accountOfPath } from "../objects/objects.ts";

const READ = "GET /v1/business-accounts/{id}";
const LIST = "GET /v1/business-accounts";
const WORKSPACE = "GET /v1/workspace";

type Deps = Pick<App, "provider">;

/** Accounts and what they have, from our own tables: the token of an account may see more than is the workspace's. */
export const accountCalls = (app: Deps): Call[] => [
  {
    kind: "served",
    method: "GET",
    path: "/{account}/phone_numbers",
    row: READ,
    summary: "The phone numbers of an account.",
    answer: async (ctx, { params, values }) => {
      const { id } = await accountOfPath(ctx, params["account"] ?? "");
      const { body } = await ctx.pass(READ, { params: { id: formatId("acc", id) } });
      const numbers: PhoneNumber[] = body.phone_numbers;
      return {
        body: wholePage(
          numbers.map((number) => numberFields(number, values["fields"])),
          values,
        ),
      };
    },
  },
  ...(["owned", "client"] as const).map(
    (whose): Call => ({
      kind: "served",
      method: "GET",
      path: `/{business}/${whose}_whatsapp_business_accounts`,
      row: LIST,
      summary:
        whose === "owned"
          ? "The workspace's accounts of a business portfolio."
          : "None: every account of a portfolio that the workspace has is listed as owned.",
      answer: async (ctx, { params, values }) => {
        const ofPortfolio = (await allAccounts(ctx)).filter(({ portfolio_id: id }) => id === params["business"]);
        if (ofPortfolio.length === 0) throw notFound();
        const listed = whose === "owned" ? ofPortfolio : [];
        return {
          body: wholePage(
            listed.map((account) => accountFields(app, account, values["fields"])),
            values,
          ),
        };
      },
    }),
  ),
  {
    kind: "served",
    method: "GET",
    path: "/me",
    row: WORKSPACE,
    summary: "Whose key it is: the workspace.",
    answer: async (ctx, { values }) => {
      const { body } = await ctx.pass(WORKSPACE, {});
      const id = digitsOfUuid(parseId("ws", body.id) ?? ctx.workspaceId);
      return { body: picked({ id, name: body.name }, values["fields"]) };
    },
  },
];

const PAGE = 100;

async function allAccounts(ctx: CallCtx): Promise<BusinessAccount[]> {
  const found: BusinessAccount[] = [];
  let cursor: string | null = null;
  do {
    const query: Record<string, unknown> = { limit: PAGE, ...(cursor === null ? {} : { cursor }) };
    const { body } = await ctx.pass(LIST, { query });
    found.push(...body.data);
    cursor = body.next_cursor;
  } while (cursor !== null);
  return found;
}

/** GET of an account's id. */
export const readAccount =
  (app: Deps): NonNullable<ByKind["account"]> =>
  async (ctx, { id }, { values }) => {
    const { body } = await ctx.pass(READ, { params: { id: formatId("acc", id) } });
    return { body: accountFields(app, body, values["fields"]) };
  };

/** The provider's number of UTC is not in its table; clients need one. */
const UNKNOWN_ZONE = "0";

function accountFields(
  { provider }: Deps,
  { provider_account_id: id, name, time_zone: zone, portfolio_id: portfolio, status }: BusinessAccount,
  fields: unknown,
): Readonly<Record<string, unknown>> {
  return picked(
    {
      id,
      name,
      timezone_id: (zone === null ? null : provider.timeZoneId(zone)) ?? UNKNOWN_ZONE,
      account_review_status: status === "connected" ? "APPROVED" : "PENDING",
      // Clients need a name of the portfolio too, and only its account's is known here.
      ...(portfolio === null ? {} : { owner_business_info: { id: portfolio, name } }),
    },
    fields,
  );
}
