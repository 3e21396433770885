import { useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { answerOf, type Template } from "@waypost/sdk";
import { waypost } from "../../api/client.ts";
import { KEYS } from "../../api/queries/keys.ts";
import { templateByIdQuery } from "../../api/queries/templates.ts";
import { PageHead, Skeleton } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { useVersion } from "../../parts/version.ts";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import { Builder } from "./Builder.tsx";
import { componentsOf, draftOfTemplate, EMPTY_DRAFT, newTemplateOf, type TemplateDraft } from "./definition.ts";
import { heldOf } from "./held.ts";

const words = text.builder;
const route = getRouteApi("/app/workspace/templates/$id/edit");

/** Shows what the provider answered, and what the lists had is read again. */
function useDone(): (template: Template) => void {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  return (template) => {
    void queryClient.invalidateQueries({ queryKey: KEYS.templates });
    const read = { template, etag: answerOf(template)?.etag ?? null };
    queryClient.setQueryData(templateByIdQuery(template.id).queryKey, read);
    void navigate(paths.template(template.id));
  };
}

/** The form of a new template. */
export function NewTemplatePage() {
  const onDone = useDone();
  return (
    <>
      <PageHead title={words.title} />
      <Builder
        begin={EMPTY_DRAFT}
        isNew
        submit={(draft, idempotencyKey) => waypost.templates.create(newTemplateOf(draft), { idempotencyKey })}
        asks={(draft) => ({ path: "v1/templates", body: newTemplateOf(draft) })}
        onDone={onDone}
      />
    </>
  );
}

/** The form of one that is there: it is reviewed again. */
export function EditTemplatePage() {
  const { id } = route.useParams();
  const { data, error, refetch } = useQuery(templateByIdQuery(id));
  if (data !== undefined) return <Edit first={data} />;
  return error === null ? <Skeleton label={text.loading} /> : <Problem error={error} retry={() => void refetch()} />;
}

type Read = { template: Template; etag: string | null };

/** What others change meanwhile does not take away what is being written. */
function Edit({ first }: { first: Read }) {
  const queryClient = useQueryClient();
  const { id } = first.template;
  const { start, taken, version } = useVersion(
    first,
    () => queryClient.fetchQuery({ ...templateByIdQuery(id), staleTime: 0 }),
    ({ template }) => heldOf(template),
  );
  const { template } = start;
  const onDone = useDone();
  const begin = draftOfTemplate(template);
  const changeOf = (draft: TemplateDraft) => ({
    components: componentsOf(draft),
    ...(draft.category === template.category ? {} : { category: draft.category }),
  });
  return (
    <>
      <PageHead
        title={words.editTitle(template.name)}
        lead={text.template.lead(template.language.code, text.templates.categories[template.category] ?? "")}
      />
      {begin === null ? (
        <>
          <p className="muted">{words.byApi}</p>
          <Link {...paths.template(id)}>{template.name}</Link>
        </>
      ) : (
        <Builder
          key={taken}
          begin={begin}
          isNew={false}
          version={version}
          submit={(draft, _key, match) => waypost.templates.update(id, changeOf(draft), match)}
          asks={(draft) => ({ path: `v1/templates/${id}`, method: "PATCH", body: changeOf(draft) })}
          onDone={onDone}
        />
      )}
    </>
  );
}
