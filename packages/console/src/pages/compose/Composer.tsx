import { useNavigate } from "@tanstack/react-router";
import type { Template } from "@waypost/sdk";
import { useState } from "react";
import { waypost } from "../../api/client.ts";
import { Form } from "../../parts/Form.tsx";
import { bubbleOf } from "../../parts/phone/bubble.ts";
import { PhonePreview } from "../../parts/phone/PhonePreview.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import { Check } from "./Check.tsx";
import styles from "./compose.module.css";
import { DraftFields } from "./DraftFields.tsx";
import { bodyOf, contentOf, type Draft } from "./draft.ts";

const words = text.compose;

/** The form of a message, with what the person will see and whether it would be accepted. */
export function Composer({ templates, begin }: { templates: readonly Template[]; begin: Draft }) {
  const [draft, setDraft] = useState(begin);
  const navigate = useNavigate();
  const template = templates.find(({ id }) => id === draft.template) ?? null;
  const body = bodyOf(draft, template);
  return (
    <div className={styles["columns"]}>
      <Form
        label={words.title}
        action={words.send}
        busy={words.sending}
        scope="messages:write"
        submit={async (_given, idempotencyKey) => {
          if (body === null) throw new Error(words.cannot);
          return await waypost.messages.send(body, { idempotencyKey });
        }}
        asks={body === null ? null : () => ({ path: "v1/messages", body })}
        onDone={({ id }) => void navigate(paths.message(id))}
      >
        <DraftFields draft={draft} onChange={setDraft} templates={templates} template={template} />
      </Form>
      <aside className={styles["aside"]} aria-label={words.preview}>
        <Bubble draft={draft} template={template} />
        <Check body={body} />
      </aside>
    </div>
  );
}

function Bubble({ draft, template }: { draft: Draft; template: Template | null }) {
  const bubble =
    draft.kind === "text"
      ? draft.text === ""
        ? null
        : bubbleOf({ type: "text", text: { body: draft.text } })
      : template === null
        ? null
        : bubbleOf(
            { type: "template", category: template.category, template: contentOf(template, draft.values) },
            template.components,
          );
  return bubble === null ? <p className="muted">{words.noPreview}</p> : <PhonePreview bubble={bubble} isOurs={true} />;
}
