/** A page of the reference. Its text is Markdown, in which links begin with `/docs`; its HTML is made from that. */
export type ReferencePage = {
  /** `/docs/messages.send` */
  path: string;
  title: string;
  /** One sentence, for lists of pages. */
  summary: string;
  /** What kind of page it is, as lists call it. */
  section: Section;
  markdown(): string;
};

export const SECTIONS = ["Guides", "Operations", "Events", "Errors", "Schemas"] as const;
export type Section = (typeof SECTIONS)[number];
