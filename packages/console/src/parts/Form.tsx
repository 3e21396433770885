import { useMutation } from "@tanstack/react-query";
import { ApiError } from "@waypost/sdk";
import {
  createContext,
  type ReactNode,
  type RefObject,
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
import { type Call, CopyCurlOf } from "./CopyCurl.tsx";
import controls from "./controls.module.css";
import { type Faults, faultsOf } from "./faults.ts";
import styles from "./form.module.css";
import { type Given, givenBy } from "./form-field.ts";
import { AskOnLeave, Unsaved } from "./leave.tsx";
import { Problem } from "./Problem.tsx";
import { Meanwhile } from "./Versions.tsx";
import type { Version } from "./version.ts";

type FieldOfForm = { label: string; isRequired: boolean };

/** What the fields of a form share with it. */
type Shared = {
  faults: Faults["byPath"];
  /** Says that there is a field of this path; returns the function that takes it away. */
  add(path: string, field: FieldOfForm): () => void;
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
  /**
   * Sends what is given. The key is made when the form opens and kept over repeats, so that a lost answer does nothing twice. `match` has the
   * version that is changed, where there is one.
   */
  submit(given: Given, idempotencyKey: string, match: { ifMatch?: string }): Promise<Result>;
  /** The call that `submit` would make now, to be copied. Null: it would make none yet. */
  asks: ((given: Given) => Call) | null;
  onDone(result: Result): void;
  onCancel?: () => void;
  /** Where what is edited has a version: what another has changed meanwhile stands beside what was entered. */
  version?: Version;
  children: ReactNode;
};

type Sent = { given: Given; etag: string | null };

const NONE: Faults = { byPath: new Map(), rest: [] };

/** Fields with one button: faults stand at their fields, other failures above the button, and what is not saved is not left by accident. */
export function Form<Result>({ label, action, busy, scope, children, ...does }: FormProps<Result>) {
  const { submit, asks, onDone, onCancel, version } = does;
  const form = useRef<HTMLFormElement>(null);
  const [own] = useState(() => new Store(false));
  const unsaved = use(Unsaved) ?? own;
  const [key, setKey] = useState(newKey);
  const { fields, faults, setFaults, shared } = useFields(unsaved);
  /** The version that a person has seen beside the one that the form began with, and saves over. */
  const [kept, setKept] = useState<{ began: string | null; etag: string | null } | null>(null);
  const reading = useMutation({ mutationFn: () => version?.now() ?? Promise.reject(new Error("it has no version")) });
  const sending = useMutation({
    mutationFn: ({ given, etag }: Sent) => submit(given, key, etag === null ? {} : { ifMatch: etag }),
    onSuccess: (result) => {
      unsaved.set(false);
      setKey(newKey());
      onDone(result);
    },
    onError: (error) => {
      if (isStale(error) && version !== undefined) reading.mutate();
      else setFaults(faultsOf(error instanceof ApiError ? error.errors : [], fields.keys()));
    },
  });
  useInSight(form, faults, sending.error);
  const isOther = version !== undefined && isStale(sending.error);
  /** `etag`: the version that is changed; null for none. */
  const send = (element: HTMLFormElement, etag: string | null): void => {
    if (sending.isPending) return;
    const given = givenBy(element);
    const missing = [...fields].filter(([path, { isRequired }]) => isRequired && !given.has(path));
    setFaults({ byPath: new Map(missing.map(([path]) => [path, text.form.missing])), rest: [] });
    if (missing.length === 0) sending.mutate({ given, etag });
  };
  const etag = kept !== null && kept.began === version?.etag ? kept.etag : (version?.etag ?? null);
  const onSubmit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    send(event.currentTarget, etag);
  };
  return (
    <form
      ref={form}
      aria-label={label}
      className={styles["form"]}
      noValidate
      onSubmit={onSubmit}
      onChange={({ target }) => shared.change((target as unknown as HTMLInputElement).name)} // of a field
    >
      <AskOnLeave unsaved={unsaved} />
      <FormContext value={shared}>{children}</FormContext>
      {sending.error !== null && !isOther && <Problem error={sending.error} faults={faults.rest} />}
      {isOther && (
        <Meanwhile
          form={form}
          version={version}
          reading={reading}
          labels={new Map([...fields].map(([path, { label: name }]) => [path, name]))}
          scope={scope}
          onTake={(now) => {
            unsaved.set(false);
            now.take();
          }}
          onKeep={(now) => {
            setKept({ began: version.etag, etag: now.etag });
            if (form.current !== null) send(form.current, now.etag);
          }}
        />
      )}
      <div className={styles["actions"]}>
        <ActionButton type="submit" look="primary" scope={scope} disabled={sending.isPending}>
          {sending.isPending ? busy : action}
        </ActionButton>
        {onCancel !== undefined && <Cancel onCancel={onCancel} />}
        <CopyCall form={form} asks={asks} ifMatch={etag} />
      </div>
    </form>
  );
}

const Cancel = ({ onCancel }: { onCancel(): void }) => (
  <button type="button" className={controls["button"]} onClick={onCancel}>
    {text.form.cancel}
  </button>
);

type CopyCallProps = {
  form: RefObject<HTMLFormElement | null>;
  asks: ((given: Given) => Call) | null;
  ifMatch: string | null;
};

/** Copies the call that the form makes by what it holds when it is copied. */
function CopyCall({ form, asks, ifMatch }: CopyCallProps) {
  const call = (): Call => {
    if (form.current === null || asks === null) throw new Error("there is nothing to copy");
    return { ...asks(givenBy(form.current)), ifMatch };
  };
  return <CopyCurlOf of={asks === null ? null : call} />;
}

/** A fault is where the cursor is, and a failure, which stands above a button at the end of a long sheet, in sight. */
function useInSight(form: RefObject<HTMLFormElement | null>, faults: Faults, error: Error | null): void {
  useEffect(() => {
    if (faults.byPath.size > 0) form.current?.querySelector<HTMLElement>("[aria-invalid='true']")?.focus();
  }, [form, faults]);
  useEffect(() => {
    if (error !== null) form.current?.querySelector("[role='alert']")?.scrollIntoView({ block: "nearest" });
  }, [form, error]);
}

/** The fields of a form, what is wrong with them, and what they share with it. */
function useFields(unsaved: Store<boolean>) {
  const [fields] = useState(() => new Map<string, FieldOfForm>());
  const [faults, setFaults] = useState(NONE);
  const add = useCallback<Shared["add"]>(
    (path, field) => {
      fields.set(path, field);
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
  return { fields, faults, setFaults, shared };
}

const newKey = (): string => crypto.randomUUID();

const without = (faults: Faults, path: string): Faults => {
  if (!faults.byPath.has(path)) return faults;
  return { ...faults, byPath: new Map([...faults.byPath].filter(([other]) => other !== path)) };
};

const isStale = (error: unknown): boolean => error instanceof ApiError && error.code === "precondition_failed";
