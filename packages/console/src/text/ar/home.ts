import type * as en from "../en/home.ts";
import { isolated } from "./forms.ts";

export const home: typeof en.home = {
  title: "الرئيسية",
  range: { label: "الفترة", "24h": "24 ساعة", "7d": "7 أيام", "30d": "30 يومًا" },
  tiles: {
    sent: "تم إرسالها",
    delivered: "تم تسليمها",
    read: "تمت قراءتها",
    failed: "فشلت",
    received: "تم استلامها",
  },
  before: (range) => `مقارنةً بفترة ${range} السابقة`,
  same: "كما في السابق",
  more: (percent) => `أكثر بنسبة ${isolated(percent)}`,
  less: (percent) => `أقل بنسبة ${isolated(percent)}`,
  fresh: "لا شيء قبلها",
  chart: "الرسائل عبر الزمن",
  chartTable: "عرض كجدول",
  chartHide: "عرض كمخطط",
  chartZone: (zone) => `التوقيت: ${isolated(zone)}`,
  needs: "يتطلب تدخلك",
  calm: "لا شيء يتطلب تدخلك.",
  failed: (count) => `الرسائل الفاشلة: ${count}`,
  failedHelp: "يوضح كل صف السبب وما يجب فعله.",
  unknown: (count) => `الرسائل مجهولة النتيجة: ${count}`,
  unknownHelp: "فُقد رد مزوّد الخدمة. لا يعيد Waypost إرسالها من تلقاء نفسه.",
  account: (name) => `الحساب ${isolated(name)} غير متصل`,
  accountHelp: (reason) => reason ?? "لن تُرسل رسائله حتى يُعاد توصيله.",
  look: "عرض",
  figures: "أرقام الفترة",
  start: "لا أرقام بعد",
  startHelp: "أرسل رسالة وتابع وصولها. تتأخر هذه الأرقام دقيقة على الأكثر.",
};

export const failures: typeof en.failures = {
  title: "الإخفاقات",
  lead: "الرسائل التي فشلت أو انتهت مدتها، حسب السبب. يقود كل صف إلى رسائله.",
  columns: { code: "الخطأ", count: "الرسائل", share: "النسبة", bars: "عبر الزمن" },
  none: "بلا رمز",
  total: (count) => `الرسائل التي فشلت أو انتهت مدتها: ${count}`,
  one: "رسالة واحدة فشلت أو انتهت مدتها",
  over: (counts) => `في كل فترة: ${counts}`,
  empty: "لم يفشل شيء",
  emptyHelp: "لم تفشل أي رسالة ولم تنته مدتها في هذه الفترة.",
};
