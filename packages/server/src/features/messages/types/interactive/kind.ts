import { type Static, type TProperties, type TSchema, Type } from "typebox";
import { componentName } from "../component-name.ts";
import { type AnyKind, type Kind, kind } from "../open-union.ts";
import { checkHeader } from "./parts.ts";

/**
 * A kind of interactive message (Cloud API documentation, sending: interactive). Each is a file of this folder and an entry of
 * `INTERACTIVE`.
 */
export function interactiveKind<Action extends TSchema>(given: {
  name: string;
  description: string;
  /** What it has around its action. */
  parts: TProperties;
  action: Action;
  check?(action: Static<Action>, at: string): void;
  spell?(content: AnyKind): void;
}): Kind {
  const { name, description, parts, action, check, spell } = given;
  return kind({
    name,
    content: Type.Unsafe<Whole<Static<Action>>>(
      Type.Object(
        { type: Type.Literal(name), ...parts, action },
        { $id: componentName("Interactive", name), description },
      ),
    ),
    check(whole, at) {
      if (whole.header !== undefined) checkHeader(whole.header, `${at}/header`);
      check?.(whole.action, `${at}/action`);
    },
    ...(spell === undefined ? {} : { spell }),
  });
}

type Whole<Action> = { header?: AnyKind; action: Action };
