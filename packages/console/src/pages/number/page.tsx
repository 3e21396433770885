import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { PhoneNumber } from "@waypost/sdk";
import { waypost } from "../../api/client.ts";
import { numberQuery, numbersQuery } from "../../api/queries/numbers.ts";
import { ActionButton, ActionLink } from "../../parts/Action.tsx";
import { CopyId } from "../../parts/Copy.tsx";
import { CopyCurl } from "../../parts/CopyCurl.tsx";
import { Fact, Facts } from "../../parts/Facts.tsx";
import { Loaded } from "../../parts/Loaded.tsx";
import { PageHead } from "../../parts/Page.tsx";
import { Problem } from "../../parts/Problem.tsx";
import { grouped } from "../../parts/phone-number.ts";
import { Sections } from "../../parts/Sections.tsx";
import { Status } from "../../parts/Status.tsx";
import { Time } from "../../parts/Time.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import { EditNote } from "./EditNote.tsx";
import { EditProfile } from "./EditProfile.tsx";
import { Health } from "./Health.tsx";
import { Profile } from "./Profile.tsx";

const route = getRouteApi("/app/workspace/numbers/$id");
const words = text.number;

/** One number: how it is, what people see of it, and what is known of it. */
export function NumberPage() {
  const { id } = route.useParams();
  return (
    <Loaded query={useQuery(numberQuery(id))} id={id} words={words}>
      {(number) => <Shown number={number} />}
    </Loaded>
  );
}

function Shown({ number }: { number: PhoneNumber }) {
  const { open } = route.useSearch();
  const { id, phone, status, verified_name: name, is_default: isDefault } = number;
  return (
    <>
      <PageHead
        title={grouped(phone)}
        lead={
          <>
            <Status state={status} /> {name !== null && <bdi>{name}</bdi>}
            {isDefault && ` · ${text.numbers.default}`}
          </>
        }
      >
        {!isDefault && <MakeDefault id={id} />}
        <ActionLink scope="accounts:write" {...paths.number(id, { open: "note" })}>
          {words.edit}
        </ActionLink>
        <CopyCurl path={`v1/phone-numbers/${id}/health`} />
      </PageHead>
      <Sections width="lines">
        <Health number={number} />
        <Profile id={id} />
        <KnownFacts number={number} />
      </Sections>
      {open === "note" && <EditNote number={number} />}
      {open === "profile" && <EditProfile id={id} />}
    </>
  );
}

function MakeDefault({ id }: { id: string }) {
  const queryClient = useQueryClient();
  const making = useMutation({
    mutationFn: () => waypost.phoneNumbers.update(id, { is_default: true }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: numbersQuery.queryKey }),
  });
  return (
    <>
      <ActionButton scope="accounts:write" disabled={making.isPending} onClick={() => making.mutate()}>
        {making.isPending ? words.making : words.makeDefault}
      </ActionButton>
      {making.error !== null && <Problem error={making.error} />}
    </>
  );
}

function KnownFacts({ number }: { number: PhoneNumber }) {
  const { messaging_limit: limit, service_allowance: allowance } = number;
  return (
    <section aria-labelledby="facts-title">
      <h2 id="facts-title">{words.facts}</h2>
      <Facts>
        <Fact name={words.name}>{number.verified_name && <bdi>{number.verified_name}</bdi>}</Fact>
        <Fact name={words.note}>{number.description && <span dir="auto">{number.description}</span>}</Fact>
        <Fact name={text.numbers.columns.limit}>
          {limit.limit !== null && text.numbers.used(limit.used ?? 0, limit.limit)}
        </Fact>
        <Fact name={words.resets}>{limit.resets_at !== null && <Time at={limit.resets_at} />}</Fact>
        <Fact name={words.allowance}>
          {allowance.included !== null && words.of(allowance.used ?? 0, allowance.included)}
        </Fact>
        <Fact name={words.provider}>
          <CopyId id={number.provider_phone_number_id} />
        </Fact>
        <Fact name={words.account}>
          <CopyId id={number.business_account_id} />
        </Fact>
        <Fact name={text.message.id}>
          <CopyId id={number.id} />
        </Fact>
      </Facts>
    </section>
  );
}
