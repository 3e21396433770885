import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { LinkProps } from "@tanstack/react-router";
import { addressOf, waypost } from "../../api/client.ts";
import { templateQuery } from "../../api/queries/templates.ts";
import { can, type Session } from "../../api/session.ts";
import { ActionButton, ActionLink } from "../../parts/Action.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import { PhoneLink } from "./PhoneLink.tsx";
import { FAILING, FIRST_PERSON, FIRST_TEMPLATE, type Step } from "./steps.ts";

const words = text.firstSteps.steps;

type StepWayProps = {
  step: Step;
  session: Session;
  /** The conversation to reply in, once it is known. */
  answered: { contact: string; number: string } | null;
  /** The endpoint at the gateway's own receiver is there. */
  onReceiver(): void;
};

/** What does a step, or leads to where it is done. */
export function StepWay({ step, session, answered, onReceiver }: StepWayProps) {
  switch (step) {
    case "send":
      return (
        <ComposeLink session={session} to={FIRST_PERSON} look="primary">
          {words.send.way}
        </ComposeLink>
      );
    case "answer":
      return <PhoneLink url={session.simulator_url ?? ""}>{words.answer.way}</PhoneLink>;
    case "reply":
      return (
        <ActionLink scope="messages:write" {...replyIn(answered)}>
          {words.reply.way}
        </ActionLink>
      );
    case "receive":
      return <ReceiveHere session={session} onReceiver={onReceiver} />;
    case "break":
      return FAILING.map(([kind, to]) => (
        <ComposeLink key={kind} session={session} to={to}>
          {words.break.ways[kind]}
        </ComposeLink>
      ));
  }
}

const replyIn = (answered: StepWayProps["answered"]): LinkProps =>
  answered === null
    ? paths.compose({ to: FIRST_PERSON, type: "text" })
    : paths.reply(answered.contact, answered.number);

type ComposeLinkProps = { session: Session; to: string; look?: "button" | "primary"; children: string };

/** To the composer, with the first template where the session sees it. */
function ComposeLink({ session, to, look = "button", children }: ComposeLinkProps) {
  const given = { scope: "messages:write", look };
  const { data: template, isLoading } = useQuery({
    ...templateQuery(FIRST_TEMPLATE, "en_US"),
    enabled: can(session, "templates:read"),
  });
  if (isLoading)
    return (
      <ActionButton {...given} disabled>
        {children}
      </ActionButton>
    );
  return (
    <ActionLink {...given} {...paths.compose({ to, ...(template && { template: template.id }) })}>
      {children}
    </ActionLink>
  );
}

/** Makes an endpoint at the gateway's own receiver, once. */
function ReceiveHere({ session, onReceiver }: Pick<StepWayProps, "session" | "onReceiver">) {
  const queryClient = useQueryClient();
  const create = useMutation({
    mutationFn: async () => {
      const url = addressOf((session.receiver_path ?? "").slice(1));
      const { data } = await waypost.webhookEndpoints.list({ limit: 100 });
      const known = data.find((one) => one.url === url);
      const description = text.firstSteps.receiver;
      return known ?? (await waypost.webhookEndpoints.create({ url, events: ["*"], description }));
    },
    onSuccess: () => {
      onReceiver();
      void queryClient.invalidateQueries({ queryKey: ["endpoints"] });
    },
  });
  if (create.data !== undefined)
    return (
      <ActionLink scope="webhooks:read" {...paths.endpoint(create.data.id)}>
        {words.receive.look}
      </ActionLink>
    );
  return (
    <>
      <ActionButton
        scope={can(session, "webhooks:read") ? "webhooks:write" : "webhooks:read"}
        disabled={session.receiver_path === null || create.isPending}
        onClick={() => create.mutate()}
      >
        {words.receive.way}
      </ActionButton>
      {create.error !== null && <Problem error={create.error} />}
    </>
  );
}
