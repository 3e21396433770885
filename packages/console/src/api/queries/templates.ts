import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { answerOf, type NewTemplate, type Query, type Template } from "@waypost/sdk";
import { waypost } from "../client.ts";
import { KEYS } from "./keys.ts";

/** The template that a message was sent by, as it is now; null when there is none any more. */
export const templateQuery = (name: string, language: string) =>
  queryOptions({
    queryKey: [...KEYS.templates, "named", name, language],
    queryFn: async ({ signal }) => {
      const { data } = await waypost.templates.list({ name, language, limit: 1 }, { signal });
      return data[0] ?? null;
    },
    staleTime: 60_000,
  });

/** More than a person looks through; an account of a large business has a few hundred. */
const MOST_TEMPLATES = 1_000;

/** All templates that fit, newest first, up to a thousand: they are grouped by name, and a page of the list would cut groups. */
export const templatesQuery = (filters: Omit<Query<"templates.list">, "limit" | "cursor"> = {}) =>
  queryOptions({
    queryKey: [...KEYS.templates, "list", filters],
    queryFn: async ({ signal }) => {
      const templates: Template[] = [];
      for await (const template of waypost.templates.list({ ...filters, limit: 100 }, { signal })) {
        if (templates.push(template) === MOST_TEMPLATES) break;
      }
      return templates;
    },
  });

export const sendableTemplatesQuery = templatesQuery({ status: "approved" });

/** With the version that a change of it names. */
export const templateByIdQuery = (id: string) =>
  queryOptions({
    queryKey: [...KEYS.templates, "one", id],
    queryFn: async ({ signal }) => {
      const template = await waypost.templates.get(id, { signal });
      return { template, etag: answerOf(template)?.etag ?? null };
    },
  });

/** A change of a category: what it was and is, and from when, where that is still to come. */
export type CategoryChange = { previous: string | null; current: string; effective_at: string | null };

/** As long as events are kept. */
const LOOKED_BACK_MS = 30 * 86_400_000;

/** What the provider did last to the category of a template, as an event says it; null for nothing within thirty days. */
export const categoryChangeQuery = (id: string) =>
  queryOptions({
    queryKey: [...KEYS.templates, "category", id],
    queryFn: async ({ signal }) => {
      const since = new Date(Date.now() - LOOKED_BACK_MS).toISOString();
      const query = { kind: "template_category_changed", created_after: since, limit: 100 } as const;
      let last: CategoryChange | null = null;
      for await (const { data } of waypost.events.list(query, { signal })) {
        const { template, ...change } = data as { template: { id: string } } & CategoryChange; // of this kind
        if (template.id === id) last = change;
      }
      return last;
    },
  });

/** Whether a definition would be submitted; nothing is. */
export const templateValidationQuery = (body: NewTemplate) =>
  queryOptions({
    queryKey: ["template validation", body],
    queryFn: ({ signal }) => waypost.templates.validate(body, { signal }),
    gcTime: 0,
    placeholderData: keepPreviousData,
    retry: false,
  });
