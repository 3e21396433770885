import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import type { BusinessProfileChange } from "@waypost/sdk";
import { waypost } from "../../api/client.ts";
import { profileQuery } from "../../api/queries/numbers.ts";
import { AreaField, SelectField, TextField } from "../../parts/Field.tsx";
import { Form } from "../../parts/Form.tsx";
import type { Given } from "../../parts/form-field.ts";
import { Sheet } from "../../parts/Sheet.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";
import { nameOfVertical, VERTICALS } from "./verticals.ts";

const words = text.number;
const names = words.fields;

/** Changes what people see of the business; fields that were not touched stay as they are. */
export function EditProfile({ id }: { id: string }) {
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { queryKey } = profileQuery(id);
  const { data } = useQuery(profileQuery(id));
  const close = (): void => void navigate(paths.number(id));
  return (
    <Sheet title={words.editProfile} onClose={close}>
      {data !== undefined && (
        <Form
          label={words.editProfile}
          action={words.save}
          busy={words.saving}
          scope="accounts:write"
          submit={(given) => waypost.phoneNumbers.updateProfile(id, changeOf(given, data))}
          asks={(given) => ({ path: `v1/phone-numbers/${id}/profile`, method: "PATCH", body: changeOf(given, data) })}
          onDone={(changed) => {
            queryClient.setQueryData(queryKey, changed);
            close();
          }}
        >
          <TextField path="about" label={names.about} maxLength={139} defaultValue={data.about ?? ""} />
          <AreaField
            path="description"
            label={names.description}
            maxLength={512}
            defaultValue={data.description ?? ""}
          />
          <AreaField path="address" label={names.address} maxLength={256} defaultValue={data.address ?? ""} />
          <TextField path="email" label={names.email} type="email" maxLength={128} defaultValue={data.email ?? ""} />
          <AreaField
            path="websites"
            label={names.websites}
            help={names.websitesHelp}
            rows={2}
            defaultValue={data.websites.join("\n")}
          />
          <SelectField
            path="vertical"
            label={names.vertical}
            defaultValue={data.vertical ?? ""}
            options={[
              { value: "", label: words.noVertical },
              ...VERTICALS.map((one) => ({ value: one, label: nameOfVertical(one) })),
            ]}
          />
        </Form>
      )}
    </Sheet>
  );
}

type Profile = { [K in "about" | "description" | "address" | "email" | "vertical"]: string | null } & {
  websites: readonly string[];
};

/** What of the profile was edited. */
function changeOf(given: Given, before: Profile): BusinessProfileChange {
  const texts = (["about", "description", "address", "email", "vertical"] as const)
    .map((name) => [name, given.orNull(name)] as const)
    .filter(([name, value]) => value !== before[name]);
  const websites = given.text("websites").split(/\s+/).filter(Boolean);
  const isSame = websites.join(" ") === before.websites.join(" ");
  return { ...Object.fromEntries(texts), ...(isSame ? {} : { websites }) } as BusinessProfileChange; // by its names
}
