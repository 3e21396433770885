import { Link, type LinkProps } from "@tanstack/react-router";
import { ApiError, ConnectionError, type FieldError } from "@waypost/sdk";
import type { ReactNode } from "react";
import { useEffect, useState } from "react";
import { paths } from "../paths.ts";
import { text } from "../text/text.ts";
import { CopyId } from "./Copy.tsx";
import controls from "./controls.module.css";
import { ErrorCode } from "./ErrorCode.tsx";
import styles from "./problem.module.css";
import { ServerText } from "./ServerText.tsx";

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
  const code = error instanceof ApiError ? error.code : null;
  const requestId = error instanceof ApiError ? error.requestId : null;
  const provider = error instanceof ApiError ? error.provider : null;
  const there = error instanceof ApiError ? linkOf(error.resourceId) : null;
  const seconds = useWait(error);
  return (
    <div role="alert" className={styles["problem"]}>
      <p className={styles["title"]}>{title}</p>
      {detail !== null && <p>{detail}</p>}
      {faults.length > 0 && (
        <ul>
          {faults.map(({ pointer, detail: fault }) => (
            <li key={pointer + fault}>
              {pointer !== "" && <code>{pointer}</code>} <ServerText>{fault}</ServerText>
            </li>
          ))}
        </ul>
      )}
      {help !== null && <p className="muted">{help}</p>}
      {there !== null && (
        <p>
          <Link {...there}>{text.problem.open}</Link>
        </p>
      )}
      {provider !== null && (
        <details>
          <summary>{text.problem.provider}</summary>
          <pre>{JSON.stringify(provider, null, 2)}</pre>
        </details>
      )}
      {(code !== null || canRepeat || seconds > 0) && (
        <div className={styles["foot"]}>
          {/* Read aloud once, not every second. */}
          <span aria-live="off">
            {canRepeat ? (
              <button type="button" className={controls["button"]} disabled={seconds > 0} onClick={retry}>
                {seconds > 0 ? text.problem.waits(seconds) : text.problem.again}
              </button>
            ) : (
              seconds > 0 && text.problem.waits(seconds)
            )}
          </span>
          {code !== null && <ErrorCode code={code} />}
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

const PAGES: Readonly<Record<string, (id: string) => LinkProps>> = {
  con: (id) => paths.contact(id),
  msg: (id) => paths.message(id),
  tpl: paths.template,
};

/** The page of what a refusal says is there already. */
const linkOf = (id: string | null): LinkProps | null =>
  id === null ? null : (PAGES[id.slice(0, id.indexOf("_"))]?.(id) ?? null);

const SECOND_MS = 1_000;

/** Seconds until a repeat can help, as the refusal said; moves every second. */
function useWait(error: unknown): number {
  const seconds = (error instanceof ApiError && error.retryAfterSeconds) || 0;
  const [waiting, setWaiting] = useState({ error, left: seconds });
  useEffect(() => {
    if (seconds === 0) return;
    const end = performance.now() + seconds * SECOND_MS;
    const show = (): void => {
      const left = Math.max(0, Math.ceil((end - performance.now()) / SECOND_MS));
      setWaiting({ error, left });
      if (left === 0) clearInterval(timer);
    };
    const timer = setInterval(show, SECOND_MS);
    return () => clearInterval(timer);
  }, [error, seconds]);
  return waiting.error === error ? waiting.left : seconds;
}

const HELP: Readonly<Record<string, string>> = { precondition_failed: text.problem.changed };

function wordsOf(error: unknown): { title: ReactNode; detail: ReactNode; help: string | null } {
  if (error instanceof ConnectionError)
    return { title: text.problem.connection, detail: null, help: text.problem.connectionHelp };
  if (error instanceof ApiError)
    return {
      title: <ServerText>{error.title}</ServerText>,
      detail: <ServerText>{error.message}</ServerText>,
      help: HELP[error.code] ?? (error.status === 403 ? text.problem.forbiddenHelp : null),
    };
  return { title: text.problem.title, detail: error instanceof Error ? error.message : null, help: null };
}
