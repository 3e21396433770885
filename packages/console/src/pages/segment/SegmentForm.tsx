import type { Segment } from "@waypost/sdk";
import { useState } from "react";
import type { SegmentFilter } from "../../api/queries/segments.ts";
import { TextField } from "../../parts/Field.tsx";
import { Form } from "../../parts/Form.tsx";
import { pageText } from "../../text/page-text.ts";
import { type Draft, filterOf, isWhole } from "./draft.ts";
import { FilterFields } from "./FilterFields.tsx";
import { Preview } from "./Preview.tsx";
import styles from "./segment.module.css";

const words = pageText.segment;

export type SegmentFormProps = {
  begin: { name: string; draft: Draft };
  submit(given: { name: string; filter: SegmentFilter }, idempotencyKey: string): Promise<Segment>;
  onDone(segment: Segment): void;
  onStale?: () => void;
};

/** Name and filter of a segment, beside those who fit. */
export function SegmentForm({ begin, submit, onDone, onStale }: SegmentFormProps) {
  const [draft, setDraft] = useState(begin.draft);
  return (
    <div className={styles["columns"]}>
      <Form
        label={words.form}
        action={words.save}
        busy={words.saving}
        scope="contacts:write"
        submit={(given, idempotencyKey) =>
          submit({ name: given.text("name"), filter: filterOf(draft) }, idempotencyKey)
        }
        onDone={onDone}
        {...(onStale === undefined ? {} : { onStale })}
      >
        <TextField path="name" label={words.name} required maxLength={256} defaultValue={begin.name} />
        <FilterFields draft={draft} onChange={setDraft} />
      </Form>
      <Preview filter={isWhole(draft) ? filterOf(draft) : null} />
    </div>
  );
}
