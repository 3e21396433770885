import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { BusinessAccount } from "@waypost/sdk";
import { waypost } from "../../api/client.ts";
import { accountsQuery, numbersQuery } from "../../api/queries/numbers.ts";
import { ActionLink } from "../../parts/Action.tsx";
import { Confirm } from "../../parts/Confirm.tsx";
import { type Column, DataTable } from "../../parts/DataTable.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { Status } from "../../parts/Status.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import styles from "./numbers.module.css";

const words = text.numbers;

/** The business accounts, each with what is wrong with it and what can be done. */
export function Accounts() {
  const { data, error, refetch } = useQuery(accountsQuery);
  if (error !== null) return <Problem error={error} retry={() => void refetch()} />;
  if (data === undefined || data.length === 0) return null;
  return (
    <section aria-labelledby="accounts-title">
      <h2 id="accounts-title">{words.accounts}</h2>
      <DataTable label={words.accounts} columns={COLUMNS} rows={data} keyOf={({ id }) => id} />
    </section>
  );
}

const nameOf = ({ name, provider_account_id: id }: BusinessAccount): string => name || id;

const COLUMNS: readonly Column<BusinessAccount>[] = [
  {
    key: "name",
    head: words.account.name,
    narrow: "lead",
    isWide: true,
    cell: (row) => (
      <span className={styles["phone"]}>
        <bdi>{row.name || words.unnamed}</bdi>
        <span>
          <span className="mono">{row.provider_account_id}</span>
          {row.status_reason !== null && <span dir="auto">{row.status_reason}</span>}
        </span>
      </span>
    ),
  },
  { key: "status", head: words.account.status, narrow: "end", cell: ({ status }) => <Status state={status} /> },
  {
    key: "numbers",
    head: words.account.numbers,
    isFigure: true,
    cell: ({ phone_numbers: numbers }) => numbers.length,
  },
  {
    key: "action",
    head: words.account.action,
    narrow: "second-end",
    isFigure: true,
    cell: (row) =>
      row.status === "disconnected" ? (
        <ActionLink scope="accounts:write" {...paths.connect({ account: row.provider_account_id })}>
          {words.again}
        </ActionLink>
      ) : (
        <Disconnect account={row} />
      ),
  },
];

function Disconnect({ account }: { account: BusinessAccount }) {
  const queryClient = useQueryClient();
  const disconnect = async (): Promise<void> => {
    await waypost.businessAccounts.delete(account.id);
    void queryClient.invalidateQueries({ queryKey: numbersQuery.queryKey });
    await queryClient.invalidateQueries({ queryKey: accountsQuery.queryKey });
  };
  return (
    <Confirm
      action={words.disconnect}
      busy={words.disconnecting}
      title={words.disconnectAsk(nameOf(account))}
      effect={words.disconnectEffect(account.phone_numbers.length)}
      scope="accounts:write"
      keep={words.keepConnected}
      run={disconnect}
    />
  );
}
