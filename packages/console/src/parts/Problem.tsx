import { ApiError, ConnectionError, type FieldError } from "@waypost/sdk";
import { text } from "../text/text.ts";
import { CopyId } from "./Copy.tsx";
import controls from "./controls.module.css";
import styles from "./problem.module.css";

export type ProblemProps = {
  error: unknown;
  /** Offered where a repeat can help. */
  retry?: (() => void) | undefined;
  /** What is wrong with which part, where not all of it is shown here: a form shows the rest at its fields. */
  faults?: readonly FieldError[];
};

/** A failure in the place where it happened: what, what to do, and the next click. */
export function Problem({ error, retry, faults = error instanceof ApiError ? error.errors : [] }: ProblemProps) {
  const { title, detail, help } = wordsOf(error);
  const canRepeat = retry !== undefined && (!(error instanceof ApiError) || error.retryable || error.status >= 500);
  const requestId = error instanceof ApiError ? error.requestId : null;
  const provider = error instanceof ApiError ? error.provider : null;
  return (
    <div role="alert" className={styles["problem"]}>
      <p className={styles["title"]}>{title}</p>
      {detail !== null && <p>{detail}</p>}
      {faults.length > 0 && (
        <ul>
          {faults.map(({ pointer, detail: fault }) => (
            <li key={pointer + fault}>
              {pointer !== "" && <code>{pointer}</code>} {fault}
            </li>
          ))}
        </ul>
      )}
      {help !== null && <p className="muted">{help}</p>}
      {provider !== null && (
        <details>
          <summary>{text.problem.provider}</summary>
          <pre>{JSON.stringify(provider, null, 2)}</pre>
        </details>
      )}
      {(requestId !== null || canRepeat) && (
        <div className={styles["foot"]}>
          {canRepeat && (
            <button type="button" className={controls["button"]} onClick={retry}>
              {text.problem.again}
            </button>
          )}
          {requestId !== null && (
            <span className="muted">
              {text.problem.request} <CopyId id={requestId} />
            </span>
          )}
        </div>
      )}
    </div>
  );
}

const HELP: Readonly<Record<string, string>> = { precondition_failed: text.problem.changed };

function wordsOf(error: unknown): { title: string; detail: string | null; help: string | null } {
  if (error instanceof ConnectionError)
    return { title: text.problem.connection, detail: null, help: text.problem.connectionHelp };
  if (error instanceof ApiError)
    return {
      title: error.title,
      detail: error.message,
      help: HELP[error.code] ?? (error.status === 403 ? text.problem.forbiddenHelp : null),
    };
  return { title: text.problem.title, detail: error instanceof Error ? error.message : null, help: null };
}
