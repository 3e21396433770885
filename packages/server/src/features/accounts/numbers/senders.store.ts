import { type AnswerOf, columns, each, hotFunction, of, recordset } from "../../../db/hot-function.ts";
import { scopeOf } from "../../identity/identifiers.sql.ts";
import { limitedPortfolio } from "../../limits/portfolio.sql.ts";
import { isPaused } from "./pause.sql.ts";

// A thousand workspaces with a message a second each ask these questions hundreds of times a second: together in one call.

const LANE = columns({ lane: "int" });
const LANE_SENDER = columns({
  lane: "int",
  workspace_id: "uuid",
  phone_number_id: "uuid",
  provider_phone_number_id: "text",
  business_account_id: "uuid",
  throughput_per_second: "int",
  marketing_stopped: "boolean",
  number_status: "text",
  account_status: "text",
  account_changed_at: "timestamptz",
  account_checked_at: "timestamptz?",
  /** The portfolio that the user ids of its recipients are valid in. */
  user_id_scope: "text",
  /** The same portfolio, where it has a messaging limit. */
  limited_portfolio: "text?",
  messaging_account_id: "text?",
  /** The provider registers it again: what is sent now fails. */
  paused: "boolean",
});
export type LaneSenderRow = AnswerOf<typeof LANE_SENDER>;

/** Whose number a lane is, and whether it may send: for dispatch, which serves all workspaces. */
export const sendersOfLanes = hotFunction({
  name: "senders_of_lanes",
  writes: false,
  input: LANE,
  answers: LANE_SENDER,
  body: `return query select n.lane, n.workspace_id, n.id, n.provider_phone_number_id, n.business_account_id,
      n.throughput_per_second, n.marketing_stopped_until is not null, n.status, a.status, a.updated_at, a.checked_at,
      ${scopeOf("a")}, ${limitedPortfolio(scopeOf("a"))}, a.messaging_account_id, ${isPaused("n")}
    from ${recordset(LANE)}
    ${each("n", "select n.* from phone_number n where n.lane = x.lane")}
    ${each(
      "a",
      `
      select a.status, a.updated_at, a.checked_at, a.portfolio_id, a.provider_account_id, a.messaging_account_id
      from business_account a
      where a.workspace_id = n.workspace_id and a.id = n.business_account_id`,
    )};`,
});

/** One of the JSON objects in `senders`. */
export type SenderRow = {
  id: string;
  lane: number;
  phone: string;
  provider_phone_number_id: string;
  business_account_id: string;
  is_default: boolean;
  throughput_per_second: number;
  number_status: string;
  account_status: string;
  limited_portfolio: string | null;
};

const WORKSPACE = columns({ workspace_id: "uuid" });

/** Every number of a workspace with what decides whether it may send, oldest first. */
export const sendersOfWorkspaces = hotFunction({
  name: "senders_of_workspaces",
  writes: false,
  input: WORKSPACE,
  answers: columns({ senders: of<SenderRow[]>("json") }),
  body: `return query select coalesce(s.senders, '[]')
    from ${recordset(WORKSPACE)}
    ${each(
      "s",
      `
      select json_agg(json_build_object(
        'id', n.id, 'lane', n.lane, 'phone', n.phone, 'provider_phone_number_id', n.provider_phone_number_id,
        'business_account_id', n.business_account_id, 'is_default', n.is_default,
        'throughput_per_second', n.throughput_per_second, 'number_status', n.status, 'account_status', a.status,
        'limited_portfolio', ${limitedPortfolio(scopeOf("a"))}) order by n.id) as senders
      from phone_number n
      join business_account a on a.workspace_id = n.workspace_id and a.id = n.business_account_id
      where n.workspace_id = x.workspace_id`,
    )}
    order by x.ordinality;`,
});
