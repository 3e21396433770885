/** Binds a sealed token to its account: a copy into another row does not open. */
export const tokenContext = (workspaceId: string, accountId: string): string => `token:${workspaceId}:${accountId}`;
