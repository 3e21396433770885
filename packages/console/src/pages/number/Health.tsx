import { useQuery } from "@tanstack/react-query";
import type { PhoneNumber } from "@waypost/sdk";
import type { ReactNode } from "react";
import { accountsQuery, healthQuery } from "../../api/queries/numbers.ts";
import { ActionLink } from "../../parts/Action.tsx";
import controls from "../../parts/controls.module.css";
import { Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { ServerText } from "../../parts/ServerText.tsx";
import { StateLine, StateLines } from "../../parts/StateLines.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import { type Check, remedyOf, worstOf } from "./headline.ts";
import styles from "./number.module.css";

const words = text.number;

/** How a number is: one sentence, the one button that helps, and each check. */
export function Health({ number }: { number: PhoneNumber }) {
  const { data, error, refetch, isFetching } = useQuery(healthQuery(number.id));
  const look = (
    <button type="button" className={controls["button"]} disabled={isFetching} onClick={() => void refetch()}>
      {isFetching ? words.looking : words.lookAgain}
    </button>
  );
  return (
    <section aria-labelledby="health-title">
      <h2 id="health-title">{words.health}</h2>
      {error !== null && <Problem error={error} retry={() => void refetch()} />}
      {data === undefined && error === null && <Skeleton label={text.loading} />}
      {data !== undefined && (
        <>
          <Headline check={worstOf(data.checks)} number={number} look={look} />
          <StateLines isBusy={isFetching}>
            {data.checks.map((check) => (
              <CheckLine key={check.name} check={check} />
            ))}
          </StateLines>
        </>
      )}
    </section>
  );
}

function Headline({ check, number, look }: { check: Check | null; number: PhoneNumber; look: ReactNode }) {
  const { data: accounts } = useQuery(accountsQuery);
  const account = accounts?.find(({ id }) => id === number.business_account_id)?.provider_account_id;
  const remedy = remedyOf(check);
  return (
    <div className={styles["headline"]} data-ok={check === null ? "true" : String(check.ok)}>
      <div>
        <p className={styles["said"]}>{check === null ? words.well : check.detail}</p>
        {check !== null && check.remedy !== null && (
          <p className="muted">
            <ServerText>{check.remedy}</ServerText>
          </p>
        )}
      </div>
      {remedy === "connect" && (
        <ActionLink scope="accounts:write" look="primary" {...paths.connect(account === undefined ? {} : { account })}>
          {words.connect}
        </ActionLink>
      )}
      {remedy === "test" && (
        <ActionLink scope="messages:write" look="primary" {...paths.compose({ from: number.id })}>
          {words.test}
        </ActionLink>
      )}
      {look}
    </div>
  );
}

/** Signs of what a check has found. */
const stateOf = ({ ok }: Check): string => (ok === null ? "unknown" : ok ? "good" : "bad");

function CheckLine({ check }: { check: Check }) {
  return (
    <StateLine name={words.checks[check.name] ?? check.name} state={stateOf(check)}>
      <p>
        <ServerText>{check.detail}</ServerText>
      </p>
      {check.remedy !== null && (
        <p className="muted">
          <ServerText>{check.remedy}</ServerText>
        </p>
      )}
    </StateLine>
  );
}
