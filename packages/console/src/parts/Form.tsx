import { useMutation } from "@tanstack/react-query";
import { ApiError, type FieldError } from "@waypost/sdk";
import {
  createContext,
  type ReactNode,
  type SubmitEvent,
  use,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { Store } from "../store.ts";
import { text } from "../text/text.ts";
import { ActionButton } from "./Action.tsx";
import controls from "./controls.module.css";
import { type Faults, faultsOf } from "./faults.ts";
import styles from "./form.module.css";
import { type Given, givenBy } from "./form-field.ts";
import { AskOnLeave, Unsaved } from "./leave.tsx";
import { Problem } from "./Problem.tsx";

/** What the fields of a form share with it. */
type Shared = {
  faults: Faults["byPath"];
  /** Says that there is a field of this path; returns the function that takes it away. */
  add(path: string, isRequired: boolean): () => void;
  /** For fields that are no elements of forms: what they hold was changed. */
  change(path: string): void;
};
const FormContext = createContext<Shared | null>(null);

export function useForm(): Shared {
  const shared = use(FormContext);
  if (shared === null) throw new Error("a field stands in a Form");
  return shared;
}

export type FormProps<Result> = {
  label: string;
  action: string;
  /** The button's text while it is submitted. */
  busy: string;
  scope: string;
  /** Sends what is given. The key is made when the form opens and kept over repeats, so that a lost answer does nothing twice. */
  submit(given: Given, idempotencyKey: string): Promise<Result>;
  onDone(result: Result): void;
  onCancel?: () => void;
  /** Where what is edited has a version: reads it again after another has changed it meanwhile. */
  onStale?: () => void;
  children: ReactNode;
};

const NONE: Faults = { byPath: new Map(), rest: [] };

/** Fields with one button: faults stand at their fields, other failures above the button, and what is not saved is not left by accident. */
export function Form<Result>({ label, action, busy, scope, children, ...does }: FormProps<Result>) {
  const { submit, onDone, onCancel, onStale } = does;
  const form = useRef<HTMLFormElement>(null);
  const [own] = useState(() => new Store(false));
  const unsaved = use(Unsaved) ?? own;
  const [fields] = useState(() => new Map<string, boolean>());
  const [key, setKey] = useState(newKey);
  const [faults, setFaults] = useState(NONE);
  const sending = useMutation({
    mutationFn: (given: Given) => submit(given, key),
    onSuccess: (result) => {
      unsaved.set(false);
      setKey(newKey());
      onDone(result);
    },
    onError: (error) => setFaults(faultsOf(error instanceof ApiError ? error.errors : [], fields.keys())),
  });
  useEffect(() => {
    if (faults.byPath.size > 0) form.current?.querySelector<HTMLElement>("[aria-invalid='true']")?.focus();
  }, [faults]);
  const add = useCallback<Shared["add"]>(
    (path, isRequired) => {
      fields.set(path, isRequired);
      return () => void fields.delete(path);
    },
    [fields],
  );
  const change = useCallback<Shared["change"]>(
    (path) => {
      unsaved.set(true);
      setFaults((before) => without(before, path));
    },
    [unsaved],
  );
  const shared = useMemo(() => ({ faults: faults.byPath, add, change }), [faults, add, change]);
  const send = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    if (sending.isPending) return;
    const given = givenBy(event.currentTarget);
    const missing = [...fields].filter(([path, isRequired]) => isRequired && !given.has(path));
    setFaults({ byPath: new Map(missing.map(([path]) => [path, text.form.missing])), rest: [] });
    if (missing.length === 0) sending.mutate(given);
  };
  return (
    <form
      ref={form}
      aria-label={label}
      className={styles["form"]}
      noValidate
      onSubmit={send}
      onChange={({ target }) => change((target as unknown as HTMLInputElement).name)} // of a field
    >
      <AskOnLeave unsaved={unsaved} />
      <FormContext value={shared}>{children}</FormContext>
      {sending.error !== null && <Refusal error={sending.error} faults={faults} onStale={onStale} />}
      <div className={styles["actions"]}>
        <ActionButton type="submit" look="primary" scope={scope} disabled={sending.isPending}>
          {sending.isPending ? busy : action}
        </ActionButton>
        {onCancel !== undefined && (
          <button type="button" className={controls["button"]} onClick={onCancel}>
            {text.form.cancel}
          </button>
        )}
      </div>
    </form>
  );
}

const newKey = (): string => crypto.randomUUID();

const without = (faults: Faults, path: string): Faults => {
  if (!faults.byPath.has(path)) return faults;
  return { ...faults, byPath: new Map([...faults.byPath].filter(([other]) => other !== path)) };
};

function Refusal({ error, faults, onStale }: { error: Error; faults: Faults; onStale: (() => void) | undefined }) {
  const isStale = error instanceof ApiError && error.code === "precondition_failed";
  return (
    <>
      <Problem error={error} faults={faults.rest satisfies readonly FieldError[]} />
      {isStale && onStale !== undefined && (
        <p className={styles["stale"]}>
          {text.form.stale}{" "}
          <button type="button" className={controls["button"]} onClick={onStale}>
            {text.form.readAgain}
          </button>
        </p>
      )}
    </>
  );
}
