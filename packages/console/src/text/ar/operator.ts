import type * as en from "../en/operator.ts";
import { figure, isolated, plural } from "./forms.ts";

export const system: typeof en.system = {
  title: "النظام",
  lead: "العمليات وعملها وقاعدة البيانات.",
  processes: "العمليات",
  process: { id: "العملية", roles: "الأدوار", version: "الإصدار", slots: "الخانات", lease: "نهاية الحجز" },
  queues: "العمل",
  queue: { kind: "النوع", rows: "الصفوف", owned: "خانات لها عملية", oldest: "الأقدم منذ" },
  kinds: {
    dispatch: "الإرسال",
    deliver: "خطافات الويب",
    redeliver: "إعادة خطافات الويب",
    ingest: "الاستدعاءات",
    task: "المهام",
    fetch: "الملفات",
  },
  owned: (owned, all) => `${figure(owned)} من ${figure(all)}`,
  nothing: "لا شيء ينتظر",
  still: "بعض العمل بلا عملية: شغّل عملية بالأدوار الناقصة.",
  pending: (names) => `تنقص ترحيلات: ${names}. شغّل ${isolated("waypost migrate")}.`,
  facts: "قاعدة البيانات",
  version: "إصدار البوابة",
  server: "PostgreSQL",
  size: "الحجم",
  migrations: "الترحيلات",
  latest: "آخر ترحيل",
};

export const quarantine: typeof en.quarantine = {
  title: "الحجر",
  lead: "ما ورد في الاستدعاءات وتعذّر أخذه. لا يضيع منه شيء: يمكن أخذه من جديد.",
  columns: {
    reason: "السبب",
    about: "الرقم أو الحساب",
    replays: "الإعادات الفاشلة",
    next: "المحاولة التالية",
    created: "منذ",
  },
  replay: "أخذ من جديد",
  replayNamed: (id) => `أخذ ${isolated(id)} من جديد`,
  replaying: "جارٍ الأخذ",
  replayAll: "أخذ كل ما له هذا السبب من جديد",
  replayAllAsk: (reason) => `أخذ كل ما ينتظر بسبب «${isolated(reason)}» من جديد؟`,
  replayAllEffect: "يعود إلى قائمة الانتظار بترتيبه. وما يتعذّر أخذه يعود إلى هنا.",
  replayed: (count, isMore) =>
    `${plural(count, {
      zero: "لم يؤخذ شيء",
      one: "أُخذ عنصر واحد",
      two: "أُخذ عنصران",
      few: "أُخذت # عناصر",
      many: "أُخذ # عنصرًا",
      other: "أُخذ # عنصر",
    })} من جديد${isMore ? "؛ وهناك المزيد" : ""}.`,
  filters: { reason: "السبب" },
  empty: "لا شيء في الحجر",
  emptyHelp: "فُهم كل ما ذكره مزوّد الخدمة وعُرف صاحبه.",
  none: "لا شيء ينتظر لهذا السبب",
};
