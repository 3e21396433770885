import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import type { EmbeddedSignup } from "@waypost/sdk";
import { waypost } from "../../api/client.ts";
import { signupQuery } from "../../api/queries/numbers.ts";
import { begun } from "../../api/works.ts";
import { ActionButton, ActionLink } from "../../parts/Action.tsx";
import { CopyId } from "../../parts/Copy.tsx";
import { CopyCurl } from "../../parts/CopyCurl.tsx";
import controls from "../../parts/controls.module.css";
import { Fact, Facts } from "../../parts/Facts.tsx";
import { Loaded } from "../../parts/Loaded.tsx";
import { PageHead } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { Sections } from "../../parts/Sections.tsx";
import { Status } from "../../parts/Status.tsx";
import { Time } from "../../parts/Time.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import { ResumeWith } from "./ResumeWith.tsx";
import { Steps } from "./Steps.tsx";

const route = getRouteApi("/app/workspace/signups/$id");
const words = text.signup;

/** One signup, step by step, as it goes on. */
export function SignupPage() {
  const { id } = route.useParams();
  return (
    <Loaded query={useQuery(signupQuery(id))} id={id} words={words}>
      {(signup) => <Shown signup={signup} />}
    </Loaded>
  );
}

function Shown({ signup }: { signup: EmbeddedSignup }) {
  const { open } = route.useSearch();
  const { id, status, provider_account_id: account } = signup;
  return (
    <>
      <PageHead
        title={account === null ? words.title : `${words.title} ${account}`}
        lead={
          <span role="status">
            <Status state={status} /> {words.lead[status]}
          </span>
        }
      >
        {status === "failed" && <AfterFailure signup={signup} />}
        {status === "completed" && (
          <Link {...paths.numbers()} className={controls["primary"]}>
            {words.toAccount}
          </Link>
        )}
        <CopyCurl path={`v1/embedded-signups/${id}`} />
      </PageHead>
      <Sections width="lines">
        <Steps signup={signup} />
        <section aria-labelledby="facts-title">
          <h2 id="facts-title">{words.facts}</h2>
          <Facts>
            <Fact name={words.begun}>
              <Time at={signup.created_at} />
            </Fact>
            <Fact name={words.ended}>{signup.completed_at !== null && <Time at={signup.completed_at} />}</Fact>
            <Fact name={words.numberId}>{signup.provider_phone_number_id}</Fact>
            <Fact name={text.message.id}>
              <CopyId id={id} />
            </Fact>
          </Facts>
        </section>
      </Sections>
      {open === "resume" && <ResumeWith signup={signup} />}
    </>
  );
}

/** Without a token there is nothing to go on with: the dialog is what helps. */
function AfterFailure({ signup: { id, steps } }: { signup: EmbeddedSignup }) {
  const hasToken = steps[0]?.status === "done";
  return (
    <>
      {hasToken && <Resume id={id} />}
      {hasToken && (
        <ActionLink scope="accounts:write" {...paths.signup(id, { open: "resume" })}>
          {words.resumeWith}
        </ActionLink>
      )}
      <ActionLink scope="accounts:write" look={hasToken ? "button" : "primary"} {...paths.connect()}>
        {words.another}
      </ActionLink>
    </>
  );
}

function Resume({ id }: { id: string }) {
  const queryClient = useQueryClient();
  const resume = useMutation({
    mutationFn: () => waypost.embeddedSignups.resume(id),
    onSuccess: (signup) => {
      begun({ kind: "signup", id });
      queryClient.setQueryData(signupQuery(id).queryKey, signup);
    },
  });
  return (
    <>
      <ActionButton scope="accounts:write" look="primary" disabled={resume.isPending} onClick={() => resume.mutate()}>
        {resume.isPending ? words.resuming : words.resume}
      </ActionButton>
      {resume.error !== null && <Problem error={resume.error} />}
    </>
  );
}
