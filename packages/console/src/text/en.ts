import { compose } from "./en/compose.ts";
import { conversations } from "./en/conversations.ts";
import { firstSteps } from "./en/first-steps.ts";
import { home } from "./en/home.ts";
import { keys } from "./en/keys.ts";
import { message, messages, timeline } from "./en/messages.ts";
import { copy, dialog, filter, form, json, phone, problem, table } from "./en/parts.ts";
import { header, nav, operatorBar, signIn } from "./en/shell.ts";
import { status } from "./en/status.ts";
import { builder, template, templates } from "./en/templates.ts";

/**
 * What people read in the console, in English, but for pages that bring their own (`en-pages.ts`). The texts of each part are a file of
 * `en/`; other languages have the same shape.
 */
export const en = {
  product: "Waypost",
  skip: "Skip to the content",
  loading: "Loading",

  nav,
  header,
  signIn,
  operatorBar,
  keys,
  home,
  firstSteps,
  messages,
  message,
  timeline,
  compose,
  conversations,
  templates,
  template,
  builder,
  status,
  phone,
  filter,
  table,
  form,
  dialog,
  copy,
  json,
  problem,
};

export type Text = typeof en;
