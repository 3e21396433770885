import { isRecord } from "../lib/shape.ts";
import { refusal } from "../protocol/error.ts";
import { type Template, templateKey } from "../world/template.ts";
import type { PhoneNumber } from "../world/world.ts";
import { ContentPart } from "./content-part.ts";
import { checkTemplateParameters } from "./template-parameters.ts";

/** Characters of a template's name. */
const LONGEST_NAME = 512;

/** The template that a send names; throws the provider's refusal of one that cannot be sent so. `now` in milliseconds. */
export function sentTemplate(number: PhoneNumber, sent: unknown, now: number): Template {
  if (!isRecord(sent)) throw refusal(131008, "Parameter 'template' is mandatory for type 'template'");
  const given = new ContentPart(sent, "template");
  const name = given.text("name", LONGEST_NAME);
  const language = given.part("language").text("code", LONGEST_NAME);
  const found = number.account.templates.get(templateKey(name, language));
  if (found?.status === "PAUSED") throw refusal(132015, `template (${name}) is paused due to low quality`);
  if (found?.status === "DISABLED") throw refusal(132016, `template (${name}) is disabled`);
  if (found?.status !== "APPROVED") throw refusal(132001, `template name (${name}) does not exist in ${language}`);
  checkTemplateParameters(found, sent["components"], now);
  return found;
}
