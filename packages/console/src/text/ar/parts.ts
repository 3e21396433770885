import type * as en from "../en/parts.ts";
import { figure, isolated, plural } from "./forms.ts";

export const filter: typeof en.filter = {
  noneHelp: "أزل أحد عوامل التصفية.",
  all: "عرض الكل",
  example: "أو استدعِ واجهة API:",
  add: "تصفية",
  label: "عوامل التصفية",
  count: (held) => `عوامل التصفية (${figure(held)})`,
  show: "عرض",
  clear: "مسح",
  remove: (name) => `إزالة عامل التصفية ${isolated(name)}`,
  apply: "تطبيق",
  find: "بحث",
};

export const table: typeof en.table = {
  openPage: "فتح صفحته",
  older: "الأقدم",
  newest: "الأحدث",
  pages: "صفحات القائمة",
  count: (rows) =>
    plural(rows, {
      zero: "لا صفوف",
      one: "صف واحد",
      two: "صفّان",
      few: "# صفوف",
      many: "# صفًّا",
      other: "# صف",
    }),
};

export const copy: typeof en.copy = {
  copied: "تم النسخ",
  copy: (what) => `نسخ ${isolated(what)}`,
  plain: "نسخ",
  failed: "لم يسمح المتصفح بالنسخ.",
};

export const json: typeof en.json = {
  fold: "طي",
  unfold: "توسيع",
  find: "البحث عن حقل أو قيمة",
  none: "لا يحتوي أي حقل أو قيمة على ذلك.",
};

export const problem: typeof en.problem = {
  title: "لم ينجح ذلك",
  connection: "البوابة لا تستجيب",
  connectionHelp: "تأكد من أنها تعمل وأن هذا الجهاز يصل إليها.",
  again: "إعادة المحاولة",
  request: "معرّف الطلب",
  forbidden: (scope) => `ينقص مفتاحك النطاق ${isolated(scope)}.`,
  forbiddenHelp: "سجّل الدخول بمفتاح يملكه، أو اطلب مفتاحًا كهذا.",
  changed: "غيّره شخص أو برنامج آخر في هذه الأثناء. راجع حالته الآن، ثم أعد المحاولة.",
  waits: (seconds) => `أعد المحاولة بعد ${figure(seconds)} ث`,
  page: "لا توجد صفحة كهذه",
  pageHelp: "العنوان خاطئ، أو نُقلت الصفحة.",
  toHome: "انتقال إلى البداية",
  open: "فتح الموجود",
  provider: "نص مزوّد الخدمة",
};

export const phone: typeof en.phone = {
  image: "صورة",
  video: "فيديو",
  audio: "صوت",
  document: "مستند",
  sticker: "ملصق",
  location: "موقع",
  contacts: "بطاقة جهة اتصال",
  unsupported: "لا يُعرض هذا النوع من الرسائل هنا.",
  more: "عرض كل الخيارات",
  copyCode: "نسخ الرمز",
  reacted: (emoji) => `تفاعل بـ ${emoji}`,
  offer: "عرض لفترة محدودة",
  label: "الرسالة كما يراها المستلم",
};

export const dialog: typeof en.dialog = {
  close: "إغلاق",
  keep: "إبقاء",
  leave: "المغادرة دون حفظ؟",
  leaveEffect: "سيُفقد ما أدخلته هنا.",
  stay: "البقاء",
  discard: "مغادرة",
  type: (what) => `اكتب ${isolated(what)} للمتابعة`,
  copySecret: "نسخ السر",
  stored: "حفظته في مكان آمن",
};

export const form: typeof en.form = {
  optional: "(اختياري)",
  missing: "املأ هذا الحقل.",
  cancel: "إلغاء",
};
