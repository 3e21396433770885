import { useQuery } from "@tanstack/react-query";
import type { Message } from "@waypost/sdk";
import { templateQuery } from "../../api/queries/templates.ts";
import { bubbleOf } from "../../parts/phone/bubble.ts";
import { type Fields, fieldsOf, listOf, textOf } from "../../parts/phone/bubble-shape.ts";
import { PhonePreview } from "../../parts/phone/PhonePreview.tsx";
import { text } from "../../text/text.ts";

/** The message as the person sees it; that of a template needs its definition, and is drawn by its name until that is there. */
export function Preview({ message }: { message: Message }) {
  const sent = message.type === "template" ? fieldsOf(message["template"]) : null;
  const name = sent && textOf(sent["name"]);
  const language = sent && textOf(fieldsOf(sent["language"])["code"]);
  const { data: template } = useQuery({
    ...templateQuery(name ?? "", language ?? ""),
    enabled: Boolean(name) && Boolean(language),
    retry: false, // without the scope it is drawn by its name
  });
  const components: Fields[] | null = template ? listOf(template.components) : null;
  const bubble = bubbleOf(message, components);
  if (message[message.type] === null) return <p className="muted">{text.message.gone}</p>;
  if (bubble === null) return <p className="muted">{text.phone.unsupported}</p>;
  return <PhonePreview bubble={bubble} isOurs={message.direction === "outbound"} />;
}
