import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { type SubmitEvent, useState } from "react";
import { numbersQuery } from "../../api/queries/numbers.ts";
import { can } from "../../api/session.ts";
import controls from "../../parts/controls.module.css";
import { fieldOf } from "../../parts/form-field.ts";
import { grouped } from "../../parts/phone-number.ts";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import styles from "./rows.module.css";
import { type ConversationsSearch, FILTERS, SHORTEST_SEARCH } from "./search.ts";

const words = text.conversations;
const app = getRouteApi("/app");

/** Which conversations the list has. */
export function Narrowing({ search: { cursor: _cursor, ...search } }: { search: ConversationsSearch }) {
  const { filter, ...rest } = search;
  return (
    <div className={styles["narrowing"]}>
      <Find key={search.q} search={search} />
      <NumberChoice search={search} />
      <nav aria-label={words.filters.label} className={styles["filters"]}>
        {[undefined, ...FILTERS].map((one) => (
          <Link
            key={one ?? "all"}
            {...paths.conversations(one === undefined ? rest : { ...rest, filter: one })}
            className={styles["filter"]}
            data-chosen={filter === one}
            aria-current={filter === one ? "true" : undefined}
          >
            {words.filters[one ?? "all"]}
          </Link>
        ))}
      </nav>
    </div>
  );
}

function Find({ search: { q, ...rest } }: { search: ConversationsSearch }) {
  const navigate = useNavigate();
  const [isShort, setShort] = useState(false);
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const given = fieldOf(event.currentTarget, "q");
    const short = given !== "" && given.length < SHORTEST_SEARCH;
    setShort(short);
    if (!short) void navigate(paths.conversations(given === "" ? rest : { ...rest, q: given }));
  };
  return (
    <form role="search" onSubmit={submit} className={styles["find"]}>
      <input
        name="q"
        type="search"
        dir="auto"
        autoComplete="off"
        className={controls["input"]}
        aria-label={words.search}
        placeholder={words.search}
        defaultValue={q}
        aria-invalid={isShort}
        aria-describedby={isShort ? "find-short" : undefined}
      />
      {isShort && (
        <span id="find-short" role="alert" className={styles["fault"]}>
          {words.searchShort}
        </span>
      )}
    </form>
  );
}

/** One of several numbers, for keys that may see them. */
function NumberChoice({ search: { number, ...rest } }: { search: ConversationsSearch }) {
  const { session } = app.useRouteContext();
  const navigate = useNavigate();
  const { data: numbers = [] } = useQuery({ ...numbersQuery, enabled: can(session, "accounts:read") });
  if (numbers.length < 2) return null;
  const choose = (chosen: string): void =>
    void navigate(paths.conversations(chosen === "" ? rest : { ...rest, number: chosen }));
  return (
    <select
      className={controls["input"]}
      aria-label={words.number}
      value={number ?? ""}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      <option value="">{words.anyNumber}</option>
      {numbers.map(({ id, phone }) => (
        <option key={id} value={id}>
          {grouped(phone)}
        </option>
      ))}
    </select>
  );
}
