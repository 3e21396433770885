import type { Segment } from "@waypost/sdk";
import { useState } from "react";
import type { SegmentFilter } from "../../api/queries/segments.ts";
import type { Call } from "../../parts/CopyCurl.tsx";
import { TextField } from "../../parts/Field.tsx";
import { Form } from "../../parts/Form.tsx";
import type { Version } from "../../parts/version.ts";
import { text } from "../../text/text.ts";
import { type Draft, filterOf, isWhole } from "./draft.ts";
import { FilterFields } from "./FilterFields.tsx";
import { inWords } from "./in-words.ts";
import { Preview } from "./Preview.tsx";
import styles from "./segment.module.css";

const words = text.segment;

type Given = { name: string; filter: SegmentFilter };

export type SegmentFormProps = {
  begin: { name: string; draft: Draft };
  submit(given: Given, idempotencyKey: string, match: { ifMatch?: string }): Promise<Segment>;
  asks(given: Given): Call;
  onDone(segment: Segment): void;
  version?: Version;
};

/** Name and filter of a segment, beside those who fit. */
export function SegmentForm({ begin, submit, asks, onDone, version }: SegmentFormProps) {
  const [draft, setDraft] = useState(begin.draft);
  return (
    <div className={styles["columns"]}>
      <Form
        label={words.form}
        action={words.save}
        busy={words.saving}
        scope="contacts:write"
        submit={(given, idempotencyKey, match) =>
          submit({ name: given.text("name"), filter: filterOf(draft) }, idempotencyKey, match)
        }
        asks={(given) => asks({ name: given.text("name"), filter: filterOf(draft) })}
        onDone={onDone}
        {...(version === undefined ? {} : { version: { ...version, own: ownOf(draft) } })}
      >
        <TextField path="name" label={words.name} required maxLength={256} defaultValue={begin.name} />
        <FilterFields draft={draft} onChange={setDraft} />
      </Form>
      <Preview filter={isWhole(draft) ? filterOf(draft) : null} />
    </div>
  );
}

/** The filter has no element of its own: of two versions it is said in words. */
const ownOf = (draft: Draft) => ({ held: { filter: inWords(filterOf(draft)) }, labels: { filter: words.filter } });
