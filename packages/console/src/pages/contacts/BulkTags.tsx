import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ApiError, type Contact } from "@waypost/sdk";
import { type SubmitEvent, useId, useState } from "react";
import { waypost } from "../../api/client.ts";
import { tagsQuery } from "../../api/queries/contacts.ts";
import { KEYS } from "../../api/queries/keys.ts";
import { ActionButton } from "../../parts/Action.tsx";
import controls from "../../parts/controls.module.css";
import { Problem } from "../../parts/Problem.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import { nameOf } from "./columns.tsx";
import styles from "./contacts.module.css";
import { eachOf, type Failure, type Run } from "./each-of.ts";

const words = text.bulk;
const SCOPE = "contacts:write";

type BulkProps = {
  /** Those on the page. */
  rows: readonly Contact[];
  chosen: readonly Contact[];
  onChoose(chosen: ReadonlySet<string>): void;
};

type Job = { kind: "add" | "remove"; tag: string };
/** `run`: null before anything was asked for. */
type State = { job: Job; run: Run<Contact> } | null;

/** Adds a tag to those who are chosen, or removes it: one after the other, and what did not work is said of each. */
export function BulkTags({ rows, chosen, onChoose }: BulkProps) {
  const queryClient = useQueryClient();
  const [state, setState] = useState<State>(null);
  const isRunning = state !== null && !state.run.hasEnded;
  const start = async (job: Job, contacts: readonly Contact[]): Promise<void> => {
    // Doing so twice is doing it once.
    const change = ({ id }: Contact): Promise<Contact> =>
      job.kind === "add"
        ? waypost.contacts.createTag(id, { tags: [job.tag] })
        : waypost.contacts.deleteTag(id, job.tag);
    await eachOf(contacts, change, (run) => setState({ job, run }));
    for (const queryKey of [["contacts"], KEYS.segments]) void queryClient.invalidateQueries({ queryKey });
  };
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const { tag, kind } = submittedBy(event);
    if (tag !== "" && chosen.length > 0 && !isRunning) void start({ kind, tag }, chosen);
  };
  return (
    <section aria-label={words.label} className={styles["bulk"]}>
      {rows.length > 0 && (
        <form className={styles["bar"]} onSubmit={submit}>
          <ChooseAll rows={rows} chosen={chosen} onChoose={onChoose} />
          <TagInput />
          <ActionButton type="submit" value="add" scope={SCOPE} disabled={isRunning || chosen.length === 0}>
            {words.add}
          </ActionButton>
          <ActionButton type="submit" value="remove" scope={SCOPE} disabled={isRunning || chosen.length === 0}>
            {words.remove}
          </ActionButton>
        </form>
      )}
      {state !== null && <Outcome {...state} again={(contacts) => void start(state.job, contacts)} />}
    </section>
  );
}

/** The tag, and which of the two buttons it was; Enter is the first. */
function submittedBy({ currentTarget, nativeEvent }: SubmitEvent<HTMLFormElement>): Job {
  const given = new FormData(currentTarget).get("tag");
  const button = (nativeEvent as unknown as { submitter: HTMLButtonElement | null }).submitter; // of a form
  return { tag: typeof given === "string" ? given.trim() : "", kind: button?.value === "remove" ? "remove" : "add" };
}

function ChooseAll({ rows, chosen, onChoose }: BulkProps) {
  const isAll = rows.length > 0 && chosen.length === rows.length;
  return (
    <label className={styles["all"]}>
      <input
        type="checkbox"
        checked={isAll}
        disabled={rows.length === 0}
        ref={(box) => {
          if (box !== null) box.indeterminate = chosen.length > 0 && !isAll;
        }}
        onChange={() => onChoose(new Set(isAll ? [] : rows.map(({ id }) => id)))}
      />
      {words.all}
      <span role="status" className="muted">
        {words.chosen(chosen.length)}
      </span>
    </label>
  );
}

/** Those that there are can be chosen. */
function TagInput() {
  const id = useId();
  const { data: tags = [] } = useQuery(tagsQuery);
  return (
    <>
      <input
        name="tag"
        dir="auto"
        list={id}
        className={controls["input"]}
        aria-label={words.tag}
        placeholder={words.tag}
        autoComplete="off"
        required
      />
      <datalist id={id}>
        {tags.map(({ name }) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </>
  );
}

type OutcomeProps = NonNullable<State> & { again(contacts: readonly Contact[]): void };

function Outcome({ job: { kind, tag }, run: { done, all, failures, fault, hasEnded }, again }: OutcomeProps) {
  const repeatable = failures.filter(({ error }) => isRepeatable(error)).map(({ item }) => item);
  const changed = done - failures.length;
  const said = kind === "add" ? words.added : words.removed;
  return (
    <div className={styles["outcome"]}>
      {!hasEnded && <progress aria-label={words.label} max={all} value={done} />}
      <p role="status">{hasEnded ? (changed > 0 || fault === null) && said(tag, changed) : words.running(done, all)}</p>
      {fault !== null && <Problem error={fault} />}
      {failures.length > 0 && (
        <>
          <p>{words.failed(failures.length)}</p>
          <ul>
            {failures.map((failure) => (
              <Failed key={failure.item.id} {...failure} />
            ))}
          </ul>
        </>
      )}
      {hasEnded && repeatable.length > 0 && (
        <button type="button" className={controls["button"]} onClick={() => again(repeatable)}>
          {words.again}
        </button>
      )}
    </div>
  );
}

const Failed = ({ item, error }: Failure<Contact>) => (
  <li>
    <Link {...paths.contact(item.id)} dir="auto">
      {nameOf(item)}
    </Link>
    {error instanceof ApiError && error.status === 404 ? <p>{words.gone}</p> : <Problem error={error} />}
  </li>
);

/** A person who was erased meanwhile stays so. */
const isRepeatable = (error: unknown): boolean =>
  !(error instanceof ApiError) || error.retryable || error.status >= 500;
