import { useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useState } from "react";
import { waypost } from "../../api/client.ts";
import { accountsQuery, numbersQuery } from "../../api/queries/numbers.ts";
import { TextField } from "../../parts/Field.tsx";
import { Form } from "../../parts/Form.tsx";
import type { Given } from "../../parts/form-field.ts";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import styles from "./connect.module.css";

const words = text.connect;
const route = getRouteApi("/app/workspace/numbers/connect");

/** Connects by a token that the person has. */
export function ByToken() {
  const { account } = route.useSearch();
  const navigate = route.useNavigate();
  const queryClient = useQueryClient();
  const [isWaiting, setWaiting] = useState(false);
  return (
    <section aria-labelledby="token-title" className={styles["way"]}>
      <h2 id="token-title">{words.token}</h2>
      <p className="muted">{words.tokenHelp}</p>
      {isWaiting ? (
        <p role="status">
          {words.waiting} <Link {...paths.numbers()}>{words.toNumbers}</Link>
        </p>
      ) : (
        <Form
          label={words.token}
          action={words.submit}
          busy={words.submitting}
          scope="accounts:write"
          submit={(given, idempotencyKey) => waypost.businessAccounts.create(accountIn(given), { idempotencyKey })}
          asks={(given) => ({ path: "v1/business-accounts", body: accountIn(given) })}
          onDone={({ status }) => {
            for (const { queryKey } of [accountsQuery, numbersQuery]) void queryClient.invalidateQueries({ queryKey });
            if (status === "connecting") setWaiting(true);
            else void navigate(paths.numbers());
          }}
        >
          <TextField
            path="provider_account_id"
            label={words.accountId}
            help={words.accountIdHelp}
            inputMode="numeric"
            required
            defaultValue={account ?? ""}
          />
          <TextField
            path="access_token"
            label={words.accessToken}
            help={words.accessTokenHelp}
            type="password"
            autoComplete="off"
            spellCheck={false}
            required
          />
        </Form>
      )}
    </section>
  );
}

const accountIn = (given: Given) => ({
  provider_account_id: given.text("provider_account_id"),
  access_token: given.text("access_token"),
});
