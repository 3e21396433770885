import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { waypost } from "../../api/client.ts";
import { signupConfigQuery } from "../../api/queries/numbers.ts";
import { begun } from "../../api/works.ts";
import { ActionButton } from "../../parts/Action.tsx";
import controls from "../../parts/controls.module.css";
import { Problem } from "../../parts/Problem.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import styles from "./connect.module.css";
import { answerHere, type DialogAnswer, openDialog } from "./dialog.ts";

const words = text.connect;

/** Connects by the provider's dialog: its code becomes a signup, which has a page of its own. */
export function ByDialog() {
  const navigate = useNavigate();
  const { data: config, error, refetch } = useQuery(signupConfigQuery);
  // What a dialog in the place of this page has left is there once.
  const [left] = useState(answerHere);
  const [state, setState] = useState<"idle" | "open" | "declined">(left?.code === null ? "declined" : "idle");
  const stop = useRef<(() => void) | null>(null);
  const begin = useMutation({
    // The code works once and lives for seconds: it is also what makes a repeat the same signup.
    mutationFn: async (code: string) => {
      const { redirect_uri } = await waypost.embeddedSignups.getConfig();
      return await waypost.embeddedSignups.create({ code, redirect_uri }, { idempotencyKey: await keyOf(code) });
    },
    onSuccess: ({ id }) => {
      begun({ kind: "signup", id });
      return navigate(paths.signup(id));
    },
  });
  const { mutate } = begin;
  useEffect(() => {
    if (left !== null && left.code !== null) mutate(left.code);
  }, [left, mutate]);
  const take = ({ code }: DialogAnswer): void => {
    setState(code === null ? "declined" : "idle");
    if (code !== null) mutate(code);
  };
  useEffect(() => () => stop.current?.(), []);
  const open = (dialogUrl: string): void => {
    stop.current?.();
    begin.reset();
    setState("open");
    stop.current = openDialog(dialogUrl, take);
  };
  const cancel = (): void => {
    stop.current?.();
    setState("idle");
  };
  const dialogUrl = config?.dialog_url ?? null;
  return (
    <section aria-labelledby="dialog-title" className={styles["way"]}>
      <h2 id="dialog-title">{words.login}</h2>
      <p className="muted">{words.loginHelp}</p>
      {error !== null && <Problem error={error} retry={() => void refetch()} />}
      {config !== undefined && dialogUrl === null && (
        <p>
          {words.notSetUp} <span className="muted">{words.notSetUpHelp}</span>
        </p>
      )}
      {state === "open" && <p role="status">{words.opening}</p>}
      {state === "declined" && (
        <p role="status">
          {words.declined} <span className="muted">{words.declinedHelp}</span>
        </p>
      )}
      {begin.error !== null && <Problem error={begin.error} />}
      {dialogUrl !== null && (
        <div className={styles["actions"]}>
          <ActionButton
            scope="accounts:write"
            look="primary"
            disabled={begin.isPending}
            onClick={() => open(dialogUrl)}
          >
            {begin.isPending ? words.beginning : state === "open" ? words.openAgain : words.login}
          </ActionButton>
          {state === "open" && (
            <button type="button" className={controls["button"]} onClick={cancel}>
              {words.cancel}
            </button>
          )}
        </div>
      )}
    </section>
  );
}

async function keyOf(code: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`signup ${code}`));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
