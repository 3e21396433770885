import type { Template } from "@waypost/sdk";

/** Templates of one name in one account: one text in its languages. */
export type Group = { key: string; name: string; category: string; templates: Template[] };

/** Grouped in the order of their newest; `name`: a part of their names. The API finds whole names alone, and the whole list is here. */
export function groupsOf(templates: readonly Template[], name: string | undefined): Group[] {
  const groups = new Map<string, Group>();
  const wanted = name?.toLowerCase() ?? "";
  for (const template of templates) {
    if (!template.name.includes(wanted)) continue;
    const key = `${template.business_account_id} ${template.name}`;
    const group = groups.get(key) ?? { key, name: template.name, category: template.category, templates: [] };
    group.templates.push(template);
    groups.set(key, group);
  }
  return [...groups.values()];
}
