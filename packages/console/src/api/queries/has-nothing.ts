import type { UseQueryResult } from "@tanstack/react-query";

type List = { data: readonly unknown[]; nextCursor: string | null };

/**
 * Whether a list has no row, on this page or another. What is shown of the question before, until the answer to this one is there, says
 * nothing of it. `cursor`: of the page.
 */
export const hasNothing = (
  { data, isPlaceholderData }: Pick<UseQueryResult<List>, "data" | "isPlaceholderData">,
  cursor: string | undefined,
): boolean => !isPlaceholderData && data?.data.length === 0 && data.nextCursor === null && cursor === undefined;
