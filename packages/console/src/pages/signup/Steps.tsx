import type { EmbeddedSignup } from "@waypost/sdk";
import { ServerText } from "../../parts/ServerText.tsx";
import { Status } from "../../parts/Status.tsx";
import { Time } from "../../parts/Time.tsx";
import { text } from "../../text/text.ts";
import styles from "./signup.module.css";

const words = text.signup;

/** The steps in their order: when each was done, or why it was not. */
export function Steps({ signup: { steps, status } }: { signup: EmbeddedSignup }) {
  const current = status === "running" ? steps.findIndex((step) => step.status !== "done") : -1;
  return (
    <section aria-labelledby="steps-title">
      <h2 id="steps-title">{words.steps}</h2>
      <ol className={styles["steps"]}>
        {steps.map((step, index) => (
          <li key={step.name} className={styles["step"]}>
            <span className={styles["name"]}>{words.names[step.name] ?? step.name}</span>
            <span>
              <Status state={index === current ? "running" : step.status} />
            </span>
            <div className={styles["detail"]}>
              {step.detail !== null && (
                <p>
                  <ServerText>{step.detail}</ServerText>
                </p>
              )}
              {step.error?.provider && (
                <details>
                  <summary>{text.problem.provider}</summary>
                  <pre>{JSON.stringify(step.error.provider, null, 2)}</pre>
                </details>
              )}
            </div>
            <span className="muted">{step.completed_at !== null && <Time at={step.completed_at} exact />}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
