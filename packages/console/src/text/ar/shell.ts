import type * as en from "../en/shell.ts";
import { figure, isolated, plural } from "./forms.ts";

export const product: typeof en.product = "Waypost";
export const skip: typeof en.skip = "الانتقال إلى المحتوى";
export const loading: typeof en.loading = "جارٍ التحميل";

export const nav: typeof en.nav = {
  label: "الصفحات",
  home: "الرئيسية",
  messages: "الرسائل",
  failures: "الإخفاقات",
  conversations: "المحادثات",
  chats: "الدردشات",
  templates: "القوالب",
  contacts: "جهات الاتصال",
  segments: "الشرائح",
  endpoints: "خطافات الويب",
  events: "الأحداث",
  numbers: "الأرقام",
  activity: "النشاط",
  settings: "الإعدادات",
  quarantine: "الحجر",
  audit: "التدقيق",
  system: "النظام",
  workspaces: "مساحات العمل",
  reference: "مرجع واجهة API",
  phone: "الهاتف الافتراضي",
  more: "المزيد",
  narrow: "طيّ الشريط",
  wide: "توسيع الشريط",
};

export const header: typeof en.header = {
  signOut: "تسجيل الخروج",
  theme: { label: "الألوان", system: "كالنظام", light: "فاتح", dark: "داكن" },
  density: { label: "الصفوف", comfortable: "مريحة", compact: "متراصّة" },
  language: { label: "اللغة", browser: "كالمتصفح" },
  zone: { label: "التوقيت", local: "المحلي", utc: "UTC" },
  account: (name) => `مسجّل الدخول باسم ${isolated(name)}`,
  operator: "المشغّل",
  live: { on: "مباشر", polling: "كل 10 ث", off: "غير متصل" },
  liveMeans: {
    on: "تظهر التغييرات فور حدوثها.",
    polling: "لا يوجد اتصال مباشر؛ تُعاد قراءة ما يُعرض كل 10 ثوانٍ.",
    off: "هذا المتصفح غير متصل بالإنترنت. قد يكون المعروض قديمًا.",
  },
  ends: (span) => `تنتهي جلستك خلال ${isolated(span)}.`,
  extend: "تُمدَّد بأي نقرة أو ضغطة مفتاح.",
  signInAgain: "سجّل الدخول من جديد للمتابعة.",
  offline: "أنت غير متصل بالإنترنت. قُرئ ما تراه من قبل.",
};

export const signIn: typeof en.signIn = {
  title: "تسجيل الدخول",
  key: "المفتاح",
  keyHelp: "مفتاح API لمساحة عمل (\u2066wp_live_…\u2069)، أو مفتاح المشغّل.",
  submit: "تسجيل الدخول",
  busy: "جارٍ تسجيل الدخول",
  missing: "أدخل مفتاحًا.",
  where: "من أين أحصل على مفتاح؟",
  whereAnswers: [
    "يطبع الأمر \u2066npm start\u2069 رابطًا يسجّل الدخول، ومفتاح API.",
    "يطبع الأمر \u2066waypost console\u2069 رابطًا آخر أثناء عمل \u2066npm start\u2069.",
    "في غير ذلك ينشئ المشغّل مفتاحًا بالأمر \u2066waypost key create\u2069.",
  ],
  kept: "لا يُحفظ المفتاح في هذا المتصفح: يحصل على ملف تعريف ارتباط لا تقرؤه النصوص البرمجية.",
  ended: "انتهت جلستك. سجّل الدخول من جديد.",
};

export const operatorBar: typeof en.operatorBar = {
  inside: (workspace) => `أنت المشغّل، داخل مساحة العمل ${isolated(workspace)}. يُسجَّل ما تفعله هنا في سجل تدقيقها.`,
  leave: "مغادرة",
};

export const tray: typeof en.tray = {
  title: "ما بدأته",
  running: (works) => `${figure(works)} قيد التنفيذ`,
  ended: (works) =>
    plural(works, {
      one: "عملية واحدة مكتملة",
      two: "عمليتان مكتملتان",
      few: "# عمليات مكتملة",
      other: "# عملية مكتملة",
    }),
  failed: (works) =>
    plural(works, {
      one: "عملية واحدة فاشلة",
      two: "عمليتان فاشلتان",
      few: "# عمليات فاشلة",
      other: "# عملية فاشلة",
    }),
};
