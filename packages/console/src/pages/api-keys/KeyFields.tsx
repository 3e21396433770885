import type { ApiKeyInput } from "@waypost/sdk";
import { type ReactNode, useState } from "react";
import { ChecksField, TextField } from "../../parts/Field.tsx";
import type { Given } from "../../parts/form-field.ts";
import { text } from "../../text/text.ts";
import { SCOPES } from "./scopes.ts";

const words = text.apiKeys.form;
const OPTIONS = SCOPES.map((scope) => ({ value: scope, label: scope }));

/** What is asked of a new key; `children`: what else it may be limited to. */
export function KeyFields({ children }: { children?: ReactNode }) {
  return (
    <>
      <TextField path="name" label={words.name} help={words.nameHelp} maxLength={100} required />
      <ScopesField label={words.scopes} />
      {children}
      <TextField path="expires_at" label={words.expires} help={words.expiresHelp} type="datetime-local" />
    </>
  );
}

/** What a key may do. `isAll`: everything is chosen at first. */
export function ScopesField({ label, isAll: begin = false }: { label: string; isAll?: boolean }) {
  const [isAll, setAll] = useState(begin);
  return (
    <ChecksField
      path="scopes"
      label={label}
      required
      all={{ value: "*", label: words.all, isChosen: isAll, onChoose: setAll }}
      groups={isAll ? [] : [{ options: OPTIONS }]}
    />
  );
}

export const scopesOf = (given: Given): ApiKeyInput["scopes"] => given.list("scopes") as ApiKeyInput["scopes"]; // of the list, or all

/** What the fields give. */
export function keyOf(given: Given): ApiKeyInput {
  const expires = given.time("expires_at");
  return {
    name: given.text("name"),
    scopes: scopesOf(given),
    ...(expires === null ? {} : { expires_at: expires }),
  };
}
