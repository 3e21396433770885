import type { Template } from "@waypost/sdk";
import { useState } from "react";
import type { Call } from "../../parts/CopyCurl.tsx";
import { Form } from "../../parts/Form.tsx";
import { bubbleOf } from "../../parts/phone/bubble.ts";
import { PhonePreview } from "../../parts/phone/PhonePreview.tsx";
import type { Version } from "../../parts/version.ts";
import { text } from "../../text/text.ts";
import { filledOf } from "../compose/slots.ts";
import { CodeFields, HeadFields, TextFields } from "./BuilderFields.tsx";
import { ButtonFields } from "./ButtonFields.tsx";
import { Check } from "./Check.tsx";
import {
  componentsOf,
  type Editing,
  isNamed,
  newTemplateOf,
  previewValuesOf,
  type TemplateDraft,
} from "./definition.ts";
import { versionWith } from "./held.ts";
import styles from "./template.module.css";

const words = text.builder;

/** The form of a template beside what people will see, checked as it is written. */
export function Builder({
  begin,
  isNew,
  submit,
  asks,
  onDone,
  version,
}: {
  begin: TemplateDraft;
  isNew: boolean;
  submit(draft: TemplateDraft, idempotencyKey: string, match: { ifMatch?: string }): Promise<Template>;
  asks(draft: TemplateDraft): Call;
  onDone(template: Template): void;
  version?: Version;
}) {
  const [draft, setDraft] = useState(begin);
  const editing: Editing = { draft, onChange: (part) => setDraft((before) => ({ ...before, ...part })) };
  const components = componentsOf(draft);
  const parameters = filledOf(components, isNamed(draft), previewValuesOf(draft));
  const bubble = bubbleOf({ type: "template", template: { components: parameters } }, components);
  return (
    <div className={styles["columns"]}>
      <Form
        label={words.title}
        action={words.submit}
        busy={words.submitting}
        scope="templates:write"
        submit={(_given, idempotencyKey, match) => submit(draft, idempotencyKey, match)}
        asks={() => asks(draft)}
        onDone={onDone}
        {...(version === undefined ? {} : { version: versionWith(version, draft) })}
      >
        <div className={styles["fields"]}>
          <HeadFields {...editing} isNew={isNew} />
          {draft.category === "authentication" ? (
            <CodeFields {...editing} />
          ) : (
            <>
              <TextFields {...editing} />
              <ButtonFields {...editing} />
            </>
          )}
        </div>
      </Form>
      <aside className={styles["aside"]} aria-label={text.template.preview}>
        {bubble !== null && <PhonePreview bubble={bubble} isOurs={true} />}
        <Check body={newTemplateOf(draft)} isNew={isNew} />
      </aside>
    </div>
  );
}
