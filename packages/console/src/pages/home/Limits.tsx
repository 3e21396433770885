import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { accountsQuery } from "../../api/queries/numbers.ts";
import { can } from "../../api/session.ts";
import { listOf } from "../../parts/list-of.ts";
import { Time } from "../../parts/Time.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import styles from "./home.module.css";
import { Line } from "./Line.tsx";
import { type Portfolio, portfoliosOf } from "./portfolios.ts";

const app = getRouteApi("/app");
const words = text.home;

/** More belong on the page of numbers. */
const MOST_LINES = 5;
/** From here on a person may have to ask the provider for more. */
const NEARLY_FULL = 0.8;
const READ_EVERY_MS = 60_000;

/** What each portfolio has used of its messaging limit; nothing where none is known. `isDue`: the page's first data is there. */
export function Limits({ isDue }: { isDue: boolean }) {
  const { session } = app.useRouteContext();
  // What needs a person reads the same, and says where that fails or lacks its scope.
  const { data = [] } = useQuery({
    ...accountsQuery,
    enabled: isDue && can(session, "accounts:read"),
    refetchInterval: READ_EVERY_MS,
  });
  const portfolios = portfoliosOf(data);
  if (portfolios.length === 0) return null;
  const hidden = portfolios.length - MOST_LINES;
  return (
    <section className={styles["lines"]} aria-labelledby="limits-title">
      <h2 id="limits-title">{words.limits}</h2>
      <ul>
        {portfolios.slice(0, MOST_LINES).map((portfolio) => (
          <Limit key={portfolio.id} {...portfolio} />
        ))}
      </ul>
      {hidden > 0 && <Link {...paths.numbers()}>{words.limitsMore(hidden)}</Link>}
    </section>
  );
}

function Limit({ names, share, limit, used, remaining, resets_at: resetsAt }: Portfolio) {
  const isFull = remaining === 0;
  return (
    <Line
      link={paths.numbers()}
      name={listOf(names)}
      share={isFull ? 1 : share}
      tone={isFull ? "failed" : (share ?? 0) >= NEARLY_FULL ? "warn" : "good"}
    >
      {isFull && <strong>{words.limitFull}</strong>}
      {limit !== null && <span>{words.limitUsed(used ?? 0, limit)}</span>}
      {resetsAt !== null && (
        <span className="muted">
          {text.number.resets} <Time at={resetsAt} />
        </span>
      )}
    </Line>
  );
}
