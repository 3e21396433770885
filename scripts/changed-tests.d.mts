export const WALKS: readonly { of: RegExp; tests: string[] }[];
export function testsOf(
  changed: readonly string[],
  files: readonly string[],
  imports: (file: string) => readonly string[],
): { tests: string[]; all: boolean };
