import type * as en from "../en/failures.ts";

export const failures: typeof en.failures = {
  title: "الإخفاقات",
  lead: "الرسائل التي فشلت أو انتهت مدتها، حسب السبب. يقود كل صف إلى رسائله.",
  columns: { code: "الخطأ", count: "الرسائل", share: "النسبة", bars: "عبر الزمن", meaning: "المعنى" },
  none: "بلا رمز",
  meaning: "ما معناه",
  total: (count) => `الرسائل التي فشلت أو انتهت مدتها: ${count}`,
  one: "رسالة واحدة فشلت أو انتهت مدتها",
  over: (counts) => `في كل فترة: ${counts}`,
  empty: "لم يفشل شيء",
  emptyHelp: "لم تفشل أي رسالة ولم تنته مدتها في هذه الفترة.",
};
