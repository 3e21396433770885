/** The first code below each heading of the third level: how a language does it. */
export function snippetsOf(page: string): { language: string; code: string }[] {
  return page
    .split(/^### /m)
    .slice(1)
    .flatMap((section) => {
      const code = /^```\w*\n(.*?)\n```$/ms.exec(section.split(/^## /m)[0] ?? "")?.[1];
      return code === undefined ? [] : [{ language: section.slice(0, section.indexOf("\n")).trim(), code }];
    });
}
