import type { Feature } from "../../feature.ts";
import { countSent, workspacesOfPortfolios } from "./count.store.ts";
import { COUNT, count, countAgain } from "./count-task.ts";
import { COUNT_AGAIN } from "./ledger.sql.ts";
import { countRooms, markPortfoliosFull, readHeadroom } from "./limit.store.ts";
import { reserveRecipients } from "./reserve.store.ts";
import { showRooms } from "./room-metric.ts";

/** The messaging limits of business portfolios, and the ledger of whom they have written to. */
export const limits: Feature = {
  name: "limits",
  grants: {
    portfolio_limit: { app: "", engine: "insert, select, update" },
    portfolio_recipient: { app: "", engine: "delete, insert, select, update" },
    portfolio_return: { app: "", engine: "delete, insert, select" },
  },
  forgets: {
    tables: {
      portfolio_recipient: {
        holds: "keyed digests of the people written to",
        erasure: "stays for 25 hours: the provider counts them too",
      },
      portfolio_return: { holds: "keyed digests of people who were not reached", erasure: "stays for 25 hours" },
    },
    without: ["portfolio_limit"],
  },
  moves: { portfolio_limit: "by portfolio", portfolio_recipient: "by portfolio", portfolio_return: "by portfolio" },
  functions: [countSent, workspacesOfPortfolios, markPortfoliosFull, readHeadroom, countRooms, reserveRecipients],
  build(app) {
    showRooms(app);
    return {
      tasks: { [COUNT]: (task) => count(app, task), [COUNT_AGAIN]: (task) => countAgain(app, task) },
    };
  },
};
