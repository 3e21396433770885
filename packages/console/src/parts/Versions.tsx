import type { UseMutationResult } from "@tanstack/react-query";
import { type RefObject, useEffect, useReducer, useRef } from "react";
import { text } from "../text/text.ts";
import { ActionButton } from "./Action.tsx";
import controls from "./controls.module.css";
import { givenBy } from "./form-field.ts";
import { listOf } from "./list-of.ts";
import { Skeleton } from "./Page.tsx";
import { Problem } from "./Problem.tsx";
import { differences, type Held, heldBy, type Now, type Version } from "./version.ts";
import styles from "./versions.module.css";

const words = text.versions;

type MeanwhileProps = {
  form: RefObject<HTMLFormElement | null>;
  version: Version;
  reading: UseMutationResult<Now, Error, void>;
  /** The fields of the form and what each is called. */
  labels: ReadonlyMap<string, string>;
  scope: string;
  onTake(now: Now): void;
  onKeep(now: Now): void;
};

/** After a refusal because another has changed it meanwhile: both versions, once the other one is read. */
export function Meanwhile({ reading, ...rest }: MeanwhileProps) {
  if (reading.data !== undefined) return <Versions now={reading.data} {...rest} />;
  return reading.error === null ? (
    <Skeleton label={words.reading} rows={3} />
  ) : (
    <Problem error={reading.error} retry={() => reading.mutate()} />
  );
}

type VersionsProps = Omit<MeanwhileProps, "reading"> & { now: Now };

/** What another has changed beside what was entered here, and which of both is to be. */
function Versions({ form, version, now, labels, scope, onTake, onKeep }: VersionsProps) {
  useEdits(form);
  const part = useRef<HTMLElement>(null);
  useEffect(() => part.current?.scrollIntoView({ block: "nearest" }), []);
  if (form.current === null) return null;
  const own = version.own;
  const given = givenBy(form.current);
  const mineOf = (path: string, like: Held[string]): Held[string] => own?.held[path] ?? heldBy(given, path, like);
  const names = new Map([...labels, ...Object.entries(own?.labels ?? {})]);
  const rows = differences(version.held, now.held, mineOf, names.keys());
  const text = (path: string, held: Held[string]) => <td dir="auto">{shownIn(form.current, path, held)}</td>;
  return (
    <section ref={part} className={styles["versions"]} aria-label={words.label}>
      <p role="alert" className={styles["title"]}>
        {words.changed}
      </p>
      {rows.length === 0 ? (
        <p>{words.same}</p>
      ) : (
        <table>
          <thead>
            <tr>
              <th scope="col">{words.field}</th>
              <th scope="col">{words.theirs}</th>
              <th scope="col">{words.mine}</th>
            </tr>
          </thead>
          <tbody>
            {rows.map(({ path, theirs, mine, isTouched }) => (
              <tr key={path}>
                <th scope="row">{names.get(path)}</th>
                {text(path, theirs)}
                {isTouched || version.isWhole ? text(path, mine) : <td className="muted">{words.untouched}</td>}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <div className={styles["choices"]}>
        <button type="button" className={controls["button"]} onClick={() => onTake(now)}>
          {words.take}
        </button>
        <ActionButton scope={scope} look="primary" onClick={() => onKeep(now)}>
          {words.keep}
        </ActionButton>
      </div>
    </section>
  );
}

/** Draws again when a field of the form is changed. */
function useEdits(form: RefObject<HTMLFormElement | null>): void {
  const [, again] = useReducer((count: number) => count + 1, 0);
  useEffect(() => {
    const element = form.current;
    element?.addEventListener("input", again);
    return () => element?.removeEventListener("input", again);
  }, [form]);
}

/** As the field shows it: choices by what they are called there. */
function shownIn(form: HTMLFormElement | null, path: string, held: Held[string]): string {
  if (typeof held === "boolean") return held ? words.yes : words.no;
  const shown = (typeof held === "string" ? [held] : held).map((value) => nameOf(form, path, value) ?? value);
  return listOf(shown) || words.nothing;
}

function nameOf(form: HTMLFormElement | null, path: string, value: string): string | undefined {
  const [name, chosen] = [CSS.escape(path), CSS.escape(value)];
  const option = form?.querySelector(`select[name="${name}"] > option[value="${chosen}"]`);
  const check = form?.querySelector(`input[type=checkbox][name="${name}"][value="${chosen}"]`);
  const label = check?.closest("label");
  return (option ?? label?.querySelector("[data-name]") ?? label)?.textContent?.trim() || undefined;
}
