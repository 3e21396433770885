import type * as en from "../en/segments.ts";
import { figure, isolated, plural } from "./forms.ts";

/** After a preposition: "to # contacts". */
const contacts = (count: number): string =>
  plural(count, {
    zero: "# جهة اتصال",
    one: "جهة اتصال واحدة",
    two: "جهتي اتصال",
    few: "# جهات اتصال",
    many: "# جهة اتصال",
    other: "# جهة اتصال",
  });

export const segments: typeof en.segments = {
  title: "الشرائح",
  lead: "عوامل تصفية لها أسماء. تدخل فيها كل جهة اتصال مطابقة دون إضافتها.",
  create: "شريحة جديدة",
  people: "جهات الاتصال والشرائح",
  columns: { name: "الاسم", filter: "من فيها", count: "جهات الاتصال", changed: "آخر تغيير" },
  notCounted: "لم تُعَدّ بعد",
  contactsOf: (name, count) => `${isolated(count)}: جهات اتصال ${isolated(name)}`,
  empty: "لا شرائح بعد",
  emptyHelp: "تسمّي الشريحة مجموعة من جهات الاتصال، مثل من لهم وسم معيّن وكتبوا خلال الأسبوع الأخير.",
};

export const segment: typeof en.segment = {
  notFound: "لا توجد شريحة كهذه",
  notFoundHelp: "تعود إلى مساحة عمل أخرى، أو حُذفت، أو لم توجد قط.",
  byApi: "شكل هذا المرشّح لا يمكن تعديله هنا. غيّره عبر واجهة API.",
  form: "الشريحة",
  name: "الاسم",
  filter: "من فيها",
  save: "حفظ",
  saving: "جارٍ الحفظ",
  saved: "تم الحفظ.",
  contacts: "جهات اتصالها",
  remove: "حذف",
  removing: "جارٍ الحذف",
  removeAsk: (name) => `حذف ${isolated(name)}؟`,
  removeEffect: (count) =>
    `${
      count === null
        ? "تبقى جهات اتصالها"
        : plural(count, {
            zero: "لا جهات اتصال فيها",
            one: "تبقى جهة الاتصال التي فيها",
            two: "تبقى جهتا الاتصال اللتان فيها",
            few: "تبقى # جهات الاتصال التي فيها",
            many: "تبقى # جهة اتصال فيها",
            other: "تبقى # جهة اتصال فيها",
          })
    }؛ ولا تجد البرامج التي تطلب هذه الشريحة شيئًا.`,
  kinds: { all: "كل ما يلي", any: "أي مما يلي", not: "لا شيء مما يلي" },
  kind: "طريقة الجمع",
  group: (place) => `المجموعة ${isolated(place)}`,
  condition: (place) => `الشرط ${isolated(place)}`,
  addCondition: "إضافة شرط",
  addGroup: "إضافة مجموعة",
  full: (most) => `أقصى عدد من المجموعات والشروط: ${figure(most)}.`,
  deep: (most) => `أقصى عمق للمجموعات: ${figure(most)}.`,
  wrap: "وضعه في مجموعة",
  removeAt: (what) => `إزالة: ${isolated(what)}`,
  field: "الحقل",
  attributeName: "اسم البيان الخاص بك",
  op: "المقارنة",
  value: "القيمة",
  values: "القيم",
  type: "نوع القيمة",
  types: { text: "نص", number: "رقم", boolean: "نعم أو لا" },
  addValue: "إضافة",
  removeValue: (value) => `إزالة القيمة ${isolated(value)}`,
  amount: "كم",
  unit: "الوحدة",
  units: { week: "أسابيع", day: "أيام", hour: "ساعات", minute: "دقائق", second: "ثوانٍ" },
  durationHelp: `مثل ${isolated("P1DT12H")}.`,
  yes: "نعم",
  no: "لا",
  fields: {
    tags: "الوسوم",
    attributes: "بيان خاص بك",
    name: "الاسم",
    email: "البريد الإلكتروني",
    phone: "رقم الهاتف",
    locale: "اللغة",
    marketing_consent: "التسويق",
    last_inbound_at: "آخر رسالة منه",
    created_at: "تاريخ الإنشاء",
  },
  ops: {
    eq: "يساوي",
    ne: "لا يساوي",
    in: "أحد",
    contains: "يحتوي على",
    not_contains: "لا يحتوي على",
    exists: "معروف",
    gt: "أكثر من",
    gte: "لا يقل عن",
    lt: "أقل من",
    lte: "لا يزيد على",
    within_last: "خلال آخر",
  },
  timeOps: { gt: "بعد", gte: "في أو بعد", lt: "قبل", lte: "في أو قبل" },
  tagOps: { contains: "تتضمن", not_contains: "لا تتضمن", in: "تتضمن أحد", exists: "معروفة" },
  quoted: (value) => `«${isolated(value)}»`,
  isNot: (what) => `ليس ${what}`,
  known: (field) => `${isolated(field)}: معروف`,
  unknown: (field) => `${isolated(field)}: غير معروف`,
  preview: "المطابقون الآن",
  incomplete: "املأ كل الشروط، فيُعَدّ المطابقون.",
  counting: "جارٍ العد",
  count: (count) =>
    plural(count, {
      zero: "لا جهة اتصال مطابقة",
      one: "جهة اتصال واحدة مطابقة",
      two: "جهتا اتصال مطابقتان",
      few: "# جهات اتصال مطابقة",
      many: "# جهة اتصال مطابقة",
      other: "# جهة اتصال مطابقة",
    }),
  tooMany: "أكثر من أن تُعَدّ دفعة واحدة",
  first: (shown) =>
    plural(shown, {
      zero: "لا أحد منهم",
      one: "الأحدث منهم",
      two: "الأحدثان منهم",
      few: "أحدث # منهم",
      many: "أحدث # منهم",
      other: "أحدث # منهم",
    }),
};

export const bulk: typeof en.bulk = {
  label: "وسوم المحددين",
  all: "كل من في هذه الصفحة",
  choose: "تحديد",
  chooseOne: (name) => `تحديد ${isolated(name)}`,
  chosen: (count) => (count === 0 ? "لا تحديد" : `المحددون: ${figure(count)}`),
  tag: "الوسم",
  add: "إضافة الوسم",
  remove: "إزالة الوسم",
  running: (done, all) => `${figure(done)} من ${figure(all)}`,
  added: (tag, count) => `أُضيف الوسم ${isolated(tag)} إلى ${contacts(count)}.`,
  removed: (tag, count) => `أُزيل الوسم ${isolated(tag)} من ${contacts(count)}.`,
  failed: (count) => `لم ينجح ذلك مع ${contacts(count)}:`,
  gone: "لم تعد توجد جهة اتصال كهذه.",
  again: "إعادة المحاولة معها",
};

export const refused: typeof en.refused = { save: "حفظ بصيغة CSV", saving: "جارٍ قراءتها" };
