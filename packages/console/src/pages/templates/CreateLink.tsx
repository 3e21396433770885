import { ActionLink } from "../../parts/Action.tsx";
import { paths } from "../../paths.ts";
import { text } from "../../text/text.ts";

export const CreateLink = () => (
  <ActionLink scope="templates:write" look="primary" {...paths.newTemplate()}>
    {text.templates.create}
  </ActionLink>
);
