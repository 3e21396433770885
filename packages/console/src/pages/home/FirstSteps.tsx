import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { Check, Circle } from "lucide-react";
import type { ReactNode } from "react";
import { addressOf, waypost } from "../../api/client.ts";
import { firstStepsQuery } from "../../api/queries/first-steps.ts";
import { templateQuery } from "../../api/queries/templates.ts";
import { can, type Session } from "../../api/session.ts";
import { ActionButton } from "../../parts/Action.tsx";
import controls from "../../parts/controls.module.css";
import { Problem } from "../../parts/Problem.tsx";
import { paths } from "../../paths.ts";
import { firstSteps } from "../../preferences.ts";
import { useStore } from "../../store.ts";
import { text } from "../../text/text.ts";
import styles from "./first-steps.module.css";
import { ReceivedHere } from "./ReceivedHere.tsx";
import { FAILING, FIRST_PERSON, FIRST_TEMPLATE, STEPS, type Step } from "./steps.ts";

const app = getRouteApi("/app");
const words = text.firstSteps;

/** What to do first, beside a simulator, until all of it was done or a person has enough of it. */
export function FirstSteps() {
  const { session } = app.useRouteContext();
  const isOpen = useStore(firstSteps) === "open";
  if (session.simulator_url === null || !isOpen || !can(session, "messages:read") || !can(session, "webhooks:read"))
    return null;
  return <Card session={session} />;
}

function Card({ session }: { session: Session }) {
  const { data: done } = useQuery(firstStepsQuery);
  const { data: first } = useQuery(templateQuery(FIRST_TEMPLATE, "en_US"));
  const template = first === undefined ? null : first === null ? {} : { template: first.id };
  const count = done?.size ?? 0;
  return (
    <section className={styles["card"]} aria-labelledby="first-steps">
      <div className={styles["head"]}>
        <h2 id="first-steps">{count === STEPS.length ? words.all : words.title(count, STEPS.length)}</h2>
        <button type="button" className={controls["quiet"]} onClick={() => firstSteps.choose("closed")}>
          {words.hide}
        </button>
      </div>
      <ol>
        {STEPS.map((step) => (
          <li key={step} className={styles["step"]} data-done={done?.has(step) ?? false}>
            <Sign isDone={done?.has(step) ?? false} />
            <div>
              <p className={styles["name"]}>{words.steps[step].name}</p>
              <p className="muted">{words.steps[step].help}</p>
              {step === "receive" && session.receiver_path !== null && <ReceivedHere />}
            </div>
            <div className={styles["ways"]}>{wayOf(step, session, template)}</div>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Sign({ isDone }: { isDone: boolean }) {
  const Drawn = isDone ? Check : Circle;
  return (
    <span className={styles["sign"]}>
      <Drawn size={18} aria-hidden />
      <span className="visually-hidden">{isDone ? words.done : words.open}</span>
    </span>
  );
}

/** `template`: what the composer begins with; null until it is read. */
function wayOf(step: Step, session: Session, template: { template?: string } | null): ReactNode {
  const phone = (
    <a className={controls["button"]} href={session.simulator_url ?? ""} target="_blank" rel="noreferrer">
      {words.steps.answer.way}
    </a>
  );
  switch (step) {
    case "send":
      return template === null ? (
        <button type="button" className={controls["primary"]} disabled>
          {words.steps.send.way}
        </button>
      ) : (
        <Link {...paths.compose({ to: FIRST_PERSON, ...template })} className={controls["primary"]}>
          {words.steps.send.way}
        </Link>
      );
    case "answer":
      return phone;
    case "reply":
      return (
        <Link {...paths.compose({ to: FIRST_PERSON })} className={controls["button"]}>
          {words.steps.reply.way}
        </Link>
      );
    case "receive":
      return <ReceiveHere session={session} />;
    case "break":
      return FAILING.map(([kind, to]) => (
        <Link key={kind} {...paths.compose({ to, ...template })} className={controls["button"]}>
          {words.steps.break.ways[kind]}
        </Link>
      ));
  }
}

/** Makes an endpoint at the gateway's own receiver, once. */
function ReceiveHere({ session }: { session: Session }) {
  const queryClient = useQueryClient();
  const create = useMutation({
    mutationFn: async () => {
      const url = addressOf((session.receiver_path ?? "").slice(1));
      const { data } = await waypost.webhookEndpoints.list({ limit: 100 });
      const known = data.find((one) => one.url === url);
      return known ?? (await waypost.webhookEndpoints.create({ url, events: ["*"], description: words.receiver }));
    },
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: ["endpoints"] }),
  });
  if (create.data !== undefined)
    return (
      <Link {...paths.endpoint(create.data.id)} className={controls["button"]}>
        {words.steps.receive.look}
      </Link>
    );
  return (
    <>
      <ActionButton
        scope="webhooks:write"
        disabled={session.receiver_path === null || create.isPending}
        onClick={() => create.mutate()}
      >
        {words.steps.receive.way}
      </ActionButton>
      {create.error !== null && <Problem error={create.error} />}
    </>
  );
}
