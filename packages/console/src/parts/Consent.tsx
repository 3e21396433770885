import type { Contact } from "@waypost/sdk";
import { text } from "../text/text.ts";
import { Status } from "./Status.tsx";

/** Whether a person takes marketing; nothing where the person has not said so. */
export function Consent({ consent }: { consent: Contact["marketing_consent"] }) {
  return consent === "unknown" ? (
    <span className="muted">{text.contacts.consents.unknown}</span>
  ) : (
    <Status state={consent} />
  );
}
