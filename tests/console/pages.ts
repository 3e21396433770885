import type { Page } from "playwright-core";
import { NOWHERE } from "./stage.ts";

/** A page in one state, and what is there once it is. `at`: its address, with names in it of what `workspace.ts` makes, such as `MESSAGE`. */
export type PageState = { at: string; role: Parameters<Page["getByRole"]>[0]; name: string | RegExp };

/**
 * Every page of a workspace in each of its states that need no action. A new page adds its lines here, and what they name to `workspace.ts`.
 */
export const PAGES: readonly PageState[] = [
  { at: "/", role: "heading", name: "Home" },
  { at: "/?range=2026-01-02T00:00:00Z,2026-01-01T00:00:00Z", role: "form", name: "Custom" },
  { at: NOWHERE, role: "heading", name: "There is no such page" },

  { at: "/messages", role: "table", name: "Messages" },
  { at: "/messages?status=expired", role: "heading", name: "No message fits these filters" },
  { at: "/messages?beside=MESSAGE", role: "figure", name: "The message as the person sees it" },
  { at: "/messages/MESSAGE", role: "figure", name: "The message as the person sees it" },
  { at: "/messages/MESSAGE?tab=raw", role: "region", name: "Request to the provider" },
  { at: "/messages/new", role: "button", name: "Send" },
  { at: "/messages/new?again=MESSAGE", role: "figure", name: "The message as the person sees it" },

  { at: "/templates", role: "table", name: "Templates" },
  { at: "/templates?status=rejected&name=nowhere", role: "heading", name: "No template fits these filters" },
  { at: "/templates?beside=REJECTED", role: "link", name: "Edit and resubmit" },
  { at: "/templates/REJECTED", role: "link", name: "Edit and resubmit" },
  { at: "/templates/REJECTED/edit", role: "textbox", name: "Body" },
  { at: "/templates/new", role: "textbox", name: "Body" },

  { at: "/conversations", role: "link", name: /Hello/ },
  { at: "/conversations?filter=closed&q=nowhere", role: "heading", name: "No conversation fits" },
  { at: "/conversations/CONTACT/NUMBER", role: "textbox", name: "Reply" },

  { at: "/endpoints", role: "table", name: "Webhooks" },
  { at: "/endpoints?open=new", role: "textbox", name: "Address" },
  { at: "/endpoints/ENDPOINT", role: "table", name: "Deliveries" },
  { at: "/endpoints/ENDPOINT?beside=DELIVERY", role: "region", name: "Body" },
  { at: "/endpoints/ENDPOINT?status=parked", role: "heading", name: "No delivery fits these filters" },
  { at: "/endpoints/ENDPOINT?tab=settings", role: "link", name: "Edit" },
  { at: "/endpoints/ENDPOINT?tab=settings&open=edit", role: "textbox", name: "Address" },
  { at: "/endpoints/ENDPOINT?tab=replays", role: "button", name: "Count them" },
  { at: "/endpoints/ENDPOINT?tab=replays&replay=REPLAY", role: "heading", name: /^Send events again/ },
  { at: "/contacts", role: "table", name: "Contacts" },
  { at: "/contacts?q=no-such-name", role: "heading", name: "No contact fits" },
  { at: "/contacts?open=new", role: "textbox", name: "Phone number" },
  { at: "/contacts?beside=CONTACT", role: "heading", name: "Open to write" },
  { at: "/contacts/import", role: "button", name: "Sample file" },
  { at: "/contacts/imports/IMPORT", role: "table", name: "Refused rows" },
  { at: "/contacts/CONTACT", role: "heading", name: "Open to write" },
  { at: "/contacts/CONTACT?open=edit", role: "textbox", name: "Email" },
  { at: "/contacts/CONTACT?open=merge", role: "button", name: "Find" },
  { at: "/segments", role: "table", name: "Segments" },
  { at: "/segments/new", role: "button", name: "Add a condition" },
  { at: "/segments/SEGMENT", role: "table", name: "Who fits now" },
  { at: "/failures", role: "table", name: "Failures" },
  { at: "/failures?range=7d", role: "table", name: "Failures" },
  { at: "/events", role: "table", name: "Events" },
  { at: "/events?since=2026-01-01T00:00:00Z", role: "table", name: "Events" },
  { at: "/events?kind=sent&paused=1", role: "button", name: /^Go on/ },
  { at: "/deliveries", role: "table", name: "Deliveries" },
  { at: "/deliveries?status=parked", role: "heading", name: "No delivery fits these filters" },
  { at: "/deliveries/DELIVERY", role: "region", name: "Body" },

  { at: "/numbers", role: "table", name: "Business accounts" },
  { at: "/numbers?open=link", role: "textbox", name: "Address to return to" },
  { at: "/numbers/NUMBER", role: "heading", name: "Business profile" },
  { at: "/numbers/NUMBER?open=note", role: "textbox", name: "Note" },
  { at: "/numbers/NUMBER?open=profile", role: "textbox", name: "About" },
  { at: "/numbers/connect", role: "textbox", name: "Token" },
  { at: "/activity", role: "table", name: "Activity" },
  { at: "/activity?action=none.such", role: "heading", name: "No call fits these filters" },
  { at: "/settings", role: "heading", name: "Keywords" },
  { at: "/settings?open=keywords", role: "textbox", name: "Stop marketing" },
  { at: "/settings/keys", role: "table", name: "API keys" },
  { at: "/settings/keys?open=new", role: "textbox", name: "Name" },
  { at: "/signups/SIGNUP", role: "link", name: "Begin again with the dialog" },
  { at: "/signups/SIGNUP?open=resume", role: "textbox", name: "Two-step PIN" },
];

/** Every page of the operator. */
export const OPERATOR_PAGES: readonly PageState[] = [
  { at: "/operator/workspaces", role: "table", name: "Workspaces" },
  { at: "/operator/workspaces?open=new", role: "textbox", name: "Name" },
  { at: "/operator/workspaces/WORKSPACE", role: "table", name: "API keys" },
  { at: "/operator/workspaces/WORKSPACE?open=rename", role: "textbox", name: "Name" },
  { at: "/operator/workspaces/WORKSPACE?open=key", role: "textbox", name: "Name" },
  { at: "/operator/quarantine", role: "heading", name: "Quarantine" },
  { at: "/operator/quarantine?open=QUARANTINED", role: "region", name: "The callback as it was posted" },
  { at: "/operator/audit", role: "table", name: "Audit" },
  { at: "/operator/system", role: "table", name: "Work" },
];

/** English is written from the left, Arabic from the right. `rows`: as the account's menu calls them. */
export type Form = {
  scheme: "light" | "dark";
  width: 1280 | 390;
  language: "en" | "ar";
  rows: "comfortable" | "compact";
};

/** Whether every form is wanted, and pictures: `npm run test:console -- --all`. */
export const isWhole = process.env.WAYPOST_CONSOLE_FORMS === "all";

const EVERY_FORM = (["en", "ar"] as const).flatMap((language) =>
  (["light", "dark"] as const).flatMap((scheme) =>
    ([1280, 390] as const).map((width): Form => ({ scheme, width, language, rows: "comfortable" })),
  ),
);

/** How pages are looked at: in daily use, two that differ in all but the rows, which are compact in one of the whole. */
export const FORMS: readonly Form[] = isWhole
  ? [...EVERY_FORM, { scheme: "light", width: 1280, language: "en", rows: "compact" }]
  : [
      { scheme: "light", width: 1280, language: "en", rows: "comfortable" },
      { scheme: "dark", width: 390, language: "ar", rows: "comfortable" },
    ];
