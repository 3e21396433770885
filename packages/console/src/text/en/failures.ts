export const failures = {
  title: "Failures",
  lead: "Messages that failed or expired, by why. Each row leads to its messages.",
  columns: { code: "Error", count: "Messages", share: "Share", bars: "Over time", meaning: "Meaning" },
  none: "Without a code",
  meaning: "What it means",
  total: (count: string) => `${count} messages failed or expired`,
  one: "1 message failed or expired",
  over: (counts: string) => `In each interval: ${counts}`,
  empty: "Nothing failed",
  emptyHelp: "No message failed or expired in this time.",
};
