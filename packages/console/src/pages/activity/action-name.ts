import { text } from "../../text/text.ts";

type Names = Readonly<Record<string, string>>;
const things: Names = text.actions.things;
const verbs: Names = text.actions.verbs;

/** What a call is called: "Contact: change" of `contact.update`. Null where this version does not know the thing or the verb. */
export function actionName(action: string): string | null {
  const [thing = "", verb = ""] = action.split(".");
  const isKnown = Object.hasOwn(things, thing) && Object.hasOwn(verbs, verb);
  return isKnown ? `${things[thing]}: ${verbs[verb]}` : null;
}
