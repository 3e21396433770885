import type { Delivery } from "@waypost/sdk";
import { CopyButton } from "../../parts/Copy.tsx";
import controls from "../../parts/controls.module.css";
import { JsonView } from "../../parts/JsonView.tsx";
import { ServerText } from "../../parts/ServerText.tsx";
import { Status } from "../../parts/Status.tsx";
import { Time } from "../../parts/Time.tsx";
import { span } from "../../parts/time-format.ts";
import { text } from "../../text/text.ts";
import styles from "./delivery.module.css";
import { parsed, requestCurl } from "./request.ts";

const words = text.delivery;
type One = Delivery["attempts"][number];

/** An attempt: how it ended on its line; within it what the receiver answered, and what it was posted. */
export function Attempt({ attempt, url, isOpen }: { attempt: One; url: string; isOpen: boolean }) {
  const { n, started_at: at, duration_ms: took, status_code: code, outcome, error, response, request } = attempt;
  return (
    <details className={styles["attempt"]} open={isOpen}>
      <summary>
        <strong>{words.attempt(n)}</strong>
        <Status state={outcome} />
        {code !== null && <span>{words.code(code)}</span>}
        <span className="muted">
          <Time at={at} exact /> · {span(took)}
        </span>
      </summary>
      {error !== null && (
        <p className={styles["error"]}>
          <ServerText>{error}</ServerText>
        </p>
      )}
      <h3>{words.answer}</h3>
      {response === null || response === "" ? (
        <p className="muted">{words.noAnswer}</p>
      ) : (
        <pre tabIndex={0}>{response}</pre>
      )}
      {request !== undefined && <Posted request={request} url={url} />}
    </details>
  );
}

function Posted({ request, url }: { request: NonNullable<One["request"]>; url: string }) {
  const { headers, body } = request;
  return (
    <>
      <div className={styles["posted"]}>
        <h3>{words.request}</h3>
        <CopyButton className={controls["quiet"] ?? ""} value={requestCurl(url, request)} label={words.curl}>
          {words.curl}
        </CopyButton>
      </div>
      <div className={styles["headers"]} role="region" aria-label={words.headers} tabIndex={0}>
        <table>
          <tbody>
            {Object.entries(headers).map(([name, value]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td>{value ?? <span className="muted">{words.hidden}</span>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {body === null ? <p className="muted">{words.noBody}</p> : <JsonView value={parsed(body)} label={words.body} />}
    </>
  );
}
