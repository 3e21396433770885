import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Template } from "@waypost/sdk";
import type { ReactNode } from "react";
import { waypost } from "../../api/client.ts";
import { KEYS } from "../../api/queries/keys.ts";
import { templateByIdQuery, templatesQuery } from "../../api/queries/templates.ts";
import { ActionLink } from "../../parts/Action.tsx";
import { Confirm } from "../../parts/Confirm.tsx";
import { CopyId } from "../../parts/Copy.tsx";
import { CopyCurl } from "../../parts/CopyCurl.tsx";
import { Loaded } from "../../parts/Loaded.tsx";
import { PageHead } from "../../parts/Page.tsx";
import { bubbleOf } from "../../parts/phone/bubble.ts";
import { PhonePreview } from "../../parts/phone/PhonePreview.tsx";
import { ServerText } from "../../parts/ServerText.tsx";
import { Status } from "../../parts/Status.tsx";
import { Time } from "../../parts/Time.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import { Drift } from "./Drift.tsx";
import styles from "./template.module.css";

const words = text.template;
/** What the provider lets be edited. */
const EDITABLE = ["approved", "rejected", "paused"];

/** `onGone`: leaves the place of what is no more. */
type Place = { onGone(): Promise<void> };

/** One template in one language: what the provider thinks of it, and what people see; on a page of its own or beside the list. */
export function TemplateView({ id, onGone }: { id: string } & Place) {
  return (
    <Loaded query={useQuery(templateByIdQuery(id))} id={id} words={words}>
      {(read) => <Shown {...read} onGone={onGone} />}
    </Loaded>
  );
}

type Versioned = { template: Template; etag: string | null };

function Shown({ template, etag, onGone }: Versioned & Place) {
  const { id, name, language, category, status } = template;
  const bubble = bubbleOf({ type: "template", template: { name } }, template.components);
  return (
    <div className={styles["whole"]}>
      <PageHead
        title={name}
        lead={
          <span className={styles["lead"]}>
            <Status state={status} />
            {words.lead(language.code, text.templates.categories[category] ?? category)}
          </span>
        }
      >
        {status === "approved" && (
          <ActionLink scope="messages:write" look="primary" {...paths.compose({ template: id })}>
            {words.test}
          </ActionLink>
        )}
        {EDITABLE.includes(status) && status !== "rejected" && (
          <ActionLink scope="templates:write" {...paths.editTemplate(id)}>
            {words.edit}
          </ActionLink>
        )}
        <Remove template={template} etag={etag} onGone={onGone} />
        <CopyCurl path={`v1/templates/${id}`} />
      </PageHead>
      <Banner template={template} />
      <Drift template={template} />
      <div className={styles["columns"]}>
        <Facts template={template} />
        <section aria-label={words.preview}>
          {bubble !== null && <PhonePreview bubble={bubble} isOurs={true} />}
        </section>
      </div>
    </div>
  );
}

/** What keeps it from being sent, and the next click. */
function Banner({ template: { id, status, rejection_reason: reason } }: { template: Template }) {
  if (status === "rejected")
    return (
      <div className={styles["banner"]} data-kind="bad">
        <p className={styles["title"]}>{words.rejected}</p>
        <p>{reason === null ? words.rejectedNoReason : <ServerText>{reason}</ServerText>}</p>
        <ActionLink scope="templates:write" look="primary" {...paths.editTemplate(id)}>
          {words.resubmit}
        </ActionLink>
      </div>
    );
  if (status !== "paused") return null;
  return (
    <div className={styles["banner"]} data-kind="warn">
      <p className={styles["title"]}>{words.paused}</p>
      <p>{words.pausedHelp}</p>
    </div>
  );
}

function Remove({ template: { id, name, language, status }, etag, onGone }: Versioned & Place) {
  const queryClient = useQueryClient();
  if (status === "deleted" || status === "pending_deletion") return null;
  const remove = async (): Promise<void> => {
    await waypost.templates.delete(id, etag === null ? {} : { ifMatch: etag });
    await onGone();
    void queryClient.invalidateQueries({ queryKey: KEYS.templates });
  };
  return (
    <Confirm
      action={words.remove}
      busy={words.removing}
      title={words.removeAsk(name, language.code)}
      effect={words.removeEffect}
      scope="templates:write"
      run={remove}
      look="danger"
    />
  );
}

function Facts({ template }: { template: Template }) {
  const { name } = template;
  const { data = [] } = useQuery(templatesQuery({ name }));
  const others = data.filter(
    (one) => one.id !== template.id && one.business_account_id === template.business_account_id,
  );
  return (
    <dl className={styles["facts"]}>
      <Fact name={words.quality}>{words.qualities[template.quality] ?? template.quality}</Fact>
      {others.length > 0 && (
        <Fact name={words.languages}>
          {others.map(({ id, language }) => (
            <Link key={id} {...paths.template(id)} className={styles["other"]}>
              {language.code}
            </Link>
          ))}
        </Fact>
      )}
      <Fact name={words.messages}>
        <Link {...paths.messages({ template: name })}>{words.showMessages}</Link>
      </Fact>
      <Fact name={words.updated}>
        <Time at={template.updated_at} />
      </Fact>
      <Fact name={words.id}>
        <CopyId id={template.id} />
      </Fact>
      <Fact name={words.providerId}>
        <CopyId id={template.provider_template_id} />
      </Fact>
      <Fact name={words.account}>
        <CopyId id={template.business_account_id} />
      </Fact>
    </dl>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);
