import { useMutation, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, useRouter } from "@tanstack/react-router";
import { type SubmitEvent, useState } from "react";
import { addressOf } from "../../api/client.ts";
import { sessionQuery, signIn } from "../../api/session.ts";
import { linkRefusal } from "../../enter-by-link.ts";
import controls from "../../parts/controls.module.css";
import { fieldOf } from "../../parts/form-field.ts";
import { PageHead } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { LanguageSelect } from "../../shell/LanguageSelect.tsx";
import { useStore } from "../../store.ts";
import { text } from "../../text/text.ts";
import styles from "./sign-in.module.css";

const route = getRouteApi("/sign-in");

/** The one page without a session. */
export function SignInPage() {
  const { to } = route.useSearch();
  const refusal = useStore(linkRefusal);
  return (
    <main className={styles["page"]}>
      <div className={styles["card"]}>
        <img src={addressOf("console/icon.svg")} alt="" width="40" height="40" />
        <PageHead title={text.signIn.title} />
        {refusal !== null && <Problem error={refusal} />}
        {refusal === null && to !== undefined && <p className="muted">{text.signIn.ended}</p>}
        <KeyForm to={to} />
        <p className="muted">{text.signIn.kept}</p>
        <details>
          <summary>{text.signIn.where}</summary>
          <ul className={styles["where"]}>
            {text.signIn.whereAnswers.map((answer) => (
              <li key={answer}>{answer}</li>
            ))}
          </ul>
        </details>
        <LanguageSelect />
      </div>
    </main>
  );
}

function KeyForm({ to }: { to: string | undefined }) {
  const queryClient = useQueryClient();
  const router = useRouter();
  const [isMissing, setMissing] = useState(false);
  const enter = useMutation({
    mutationFn: (key: string) => signIn({ key }),
    onSuccess: async (session) => {
      linkRefusal.set(null);
      queryClient.clear();
      queryClient.setQueryData(sessionQuery.queryKey, session);
      await router.navigate({ href: router.buildLocation({ to: to ?? "/" }).publicHref, replace: true });
    },
  });
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const key = fieldOf(event.currentTarget, "key");
    setMissing(key === "");
    if (key !== "") enter.mutate(key);
  };
  return (
    <form className={styles["form"]} onSubmit={submit} noValidate>
      <label htmlFor="key">{text.signIn.key}</label>
      <input
        id="key"
        name="key"
        type="password"
        dir="auto"
        autoComplete="current-password"
        spellCheck={false}
        className={controls["input"]}
        aria-describedby="key-help"
        aria-invalid={isMissing}
      />
      <p id="key-help" className="muted">
        {isMissing ? text.signIn.missing : text.signIn.keyHelp}
      </p>
      {enter.error !== null && <Problem error={enter.error} />}
      <button type="submit" className={controls["primary"]} disabled={enter.isPending}>
        {enter.isPending ? text.signIn.busy : text.signIn.submit}
      </button>
    </form>
  );
}
