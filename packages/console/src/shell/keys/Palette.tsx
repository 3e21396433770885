import { useNavigate } from "@tanstack/react-router";
import { type KeyboardEvent, useEffect, useId, useState } from "react";
import type { Session } from "../../api/session.ts";
import { Problem } from "../../parts/Problem.tsx";
import { text } from "../../text/text.ts";
import { entriesOf } from "../entries.ts";
import { useSignOut } from "../sign-out.ts";
import { type Action, actionsOf, type Means } from "./actions.ts";
import styles from "./keys.module.css";
import { Overlay } from "./Overlay.tsx";
import { namedLike, placesFor } from "./places.ts";
import { useProviderIds } from "./provider-ids.ts";

/** Goes to a page by some letters of its name, to anything by its id, and does what has no page of its own. */
export function Palette({ session, onClose }: { session: Session; onClose(): void }) {
  const id = useId();
  const [given, setGiven] = useState("");
  const [at, setAt] = useState(0);
  const { means, failure } = useMeans(session, onClose);
  const entries = entriesOf(session).flatMap((entry) => [entry, ...(entry.beneath ?? [])]);
  const places = placesFor(given, entries, session, useProviderIds(given, session));
  const choices: readonly Action[] = [
    ...places.map(({ name, link }) => ({ name, run: () => means.go(link) })),
    ...namedLike(actionsOf(session, means), given),
  ];
  const current = Math.min(at, choices.length - 1);
  useEffect(() => document.getElementById(`${id}-${current}`)?.scrollIntoView({ block: "nearest" }), [id, current]);
  const choose = (choice: Action | undefined): void => {
    if (choice !== undefined && choice.lacks === undefined) choice.run();
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === "ArrowDown") setAt((current + 1) % Math.max(1, choices.length));
    else if (event.key === "ArrowUp") setAt((current + choices.length - 1) % Math.max(1, choices.length));
    else if (event.key === "Enter") choose(choices[current]);
    else return;
    event.preventDefault();
  };
  return (
    <Overlay label={text.keys.palette} onClose={onClose}>
      <input
        autoFocus
        role="combobox"
        dir="auto"
        aria-label={text.keys.palette}
        aria-expanded
        aria-controls={`${id}-places`}
        aria-activedescendant={choices.length > 0 ? `${id}-${current}` : undefined}
        autoComplete="off"
        spellCheck={false}
        placeholder={text.keys.placeholder}
        className={styles["search"]}
        value={given}
        onChange={({ target }) => {
          setGiven(target.value);
          setAt(0);
        }}
        onKeyDown={onKey}
      />
      {failure !== null && <Problem error={failure} />}
      <ul role="listbox" id={`${id}-places`} aria-label={text.keys.places} className={styles["places"]}>
        {choices.map((choice, index) => (
          <li
            key={choice.name}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === current}
            aria-disabled={choice.lacks !== undefined}
            className={styles["place"]}
            onClick={() => choose(choice)}
          >
            <bdi>{choice.name}</bdi>
            {choice.lacks !== undefined && (
              <span className={styles["lacks"]}>{text.problem.forbidden(choice.lacks)}</span>
            )}
          </li>
        ))}
      </ul>
      {choices.length === 0 && (
        <p role="status" className={styles["none"]}>
          {text.places.none}
        </p>
      )}
    </Overlay>
  );
}

/** What is chosen closes the palette, once it is done: a sign-out that fails is said in it. */
function useMeans(session: Session, onClose: () => void): { means: Means; failure: unknown } {
  const navigate = useNavigate();
  const signOut = useSignOut(session);
  const [failure, setFailure] = useState<unknown>(null);
  const means: Means = {
    go: (link) => {
      onClose();
      void navigate(link);
    },
    open: (address) => {
      onClose();
      window.open(address, "_blank", "noreferrer");
    },
    signOut: () => {
      setFailure(null);
      signOut().then(onClose, setFailure);
    },
  };
  return { means, failure };
}
