import type { ProviderTemplate } from "../../../provider/provider.ts";
import { list, record, textOf, upper } from "../rules/rule.ts";

/**
 * Whether a template has these components, as far as the provider keeps what is submitted: types, formats, texts and buttons. It writes
 * the texts of authentication templates itself, and replaces handles of samples.
 */
export const hasContent = (
  { components }: Pick<ProviderTemplate, "components">,
  wanted: readonly unknown[],
): boolean => {
  const has = components.map(contentOf);
  return wanted.length === has.length && wanted.map(contentOf).every((one) => has.some((other) => isSame(one, other)));
};

/**
 * Whether a template may be what was submitted, by its body: the provider may write addresses and numbers of buttons in its own way, and
 * the text of a code itself.
 */
export function mayBe(template: Pick<ProviderTemplate, "components">, submitted: readonly unknown[]): boolean {
  const wanted = bodyOf(submitted);
  return wanted === "" || wanted === bodyOf(template.components);
}

const bodyOf = (components: readonly unknown[]): string => {
  const body = components.map(record).find(({ type }) => upper(type) === "BODY");
  return textOf(body?.["text"]).replaceAll(/\s+/g, " ").trim();
};

type Content = { type: string; format: string; text: string; buttons: string; cards: string };

function contentOf(component: unknown): Content {
  const fields = record(component);
  const buttons = list(fields["buttons"]).map((button) => {
    const { type, text, url, phone_number: phone } = record(button);
    return [upper(type), textOf(text), textOf(url), textOf(phone)];
  });
  const cards = list(fields["cards"]).map((card) => list(record(card)["components"]).map(contentOf));
  return {
    type: upper(fields["type"]),
    format: upper(fields["format"]),
    text: textOf(fields["text"]),
    buttons: JSON.stringify(buttons),
    cards: JSON.stringify(cards),
  };
}

/** A text that was not submitted is the provider's own. */
const isSame = (wanted: Content, other: Content): boolean =>
  wanted.type === other.type &&
  wanted.format === other.format &&
  (wanted.text === "" || wanted.text === other.text) &&
  (isOfCode(wanted) || wanted.buttons === other.buttons) &&
  wanted.cards === other.cards;

/** The button of a one-time password becomes a URL when it is approved. */
const isOfCode = ({ buttons }: Content): boolean => buttons.includes('"OTP"');
