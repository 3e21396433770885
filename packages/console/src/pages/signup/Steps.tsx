import type { EmbeddedSignup } from "@waypost/sdk";
import { ServerText } from "../../parts/ServerText.tsx";
import { StateLine, StateLines } from "../../parts/StateLines.tsx";
import { Time } from "../../parts/Time.tsx";
import { text } from "../../text/text.ts";

const words = text.signup;

/** The steps in their order: when each was done, or why it was not. */
export function Steps({ signup: { steps, status } }: { signup: EmbeddedSignup }) {
  const current = status === "running" ? steps.findIndex((step) => step.status !== "done") : -1;
  return (
    <section aria-labelledby="steps-title">
      <h2 id="steps-title">{words.steps}</h2>
      <StateLines isOrdered>
        {steps.map((step, index) => (
          <StateLine
            key={step.name}
            name={words.names[step.name] ?? step.name}
            state={index === current ? "running" : step.status}
            end={step.completed_at !== null && <Time at={step.completed_at} exact />}
          >
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
          </StateLine>
        ))}
      </StateLines>
    </section>
  );
}
