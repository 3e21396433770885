import { getRouteApi, Link, type LinkProps } from "@tanstack/react-router";
import type { ComponentProps } from "react";
import { can } from "../api/session.ts";
import { text } from "../text/text.ts";
import controls from "./controls.module.css";

const app = getRouteApi("/app");

/** What a control that needs the scope has: nothing, or that it is disabled, with the scope as its reason. */
export function useScope(scope: string): { disabled?: true; title?: string } {
  const { session } = app.useRouteContext();
  return can(session, scope) ? {} : { disabled: true, title: text.problem.forbidden(scope) };
}

type Needs = {
  /** What the session must have; without it the action is disabled and names it. */
  scope: string;
  look?: "button" | "primary" | "danger" | "quiet";
};

/** A button for what needs a scope. */
export function ActionButton({ scope, look = "button", disabled, ...rest }: ComponentProps<"button"> & Needs) {
  const held = useScope(scope);
  return (
    <button
      type="button"
      {...rest}
      {...held}
      disabled={disabled === true || held.disabled}
      className={controls[look]}
    />
  );
}

/** A link to where something is done that needs a scope. */
export function ActionLink({ scope, look = "button", children, ...link }: LinkProps & Needs & { children: string }) {
  const held = useScope(scope);
  if (held.disabled)
    return (
      <button type="button" {...held} className={controls[look]}>
        {children}
      </button>
    );
  return (
    <Link {...link} className={controls[look]}>
      {children}
    </Link>
  );
}
