import type * as en from "../en/workspaces.ts";
import { figure, isolated, plural } from "./forms.ts";

export const workspaces: typeof en.workspaces = {
  title: "مساحات العمل",
  lead: "ادخل إلى إحداها لترى رسائلها كما يراها أصحابها.",
  columns: { name: "الاسم", status: "الحالة", created: "تاريخ الإنشاء", enter: "دخول" },
  enter: "دخول",
  enterNamed: (name) => `دخول ${isolated(name)}`,
  empty: "لا توجد مساحة عمل بعد",
  emptyHelp: "لكل مساحة عمل أشخاصها وأرقامها ومفاتيحها؛ لا تراها أي مساحة أخرى.",
  create: "مساحة عمل جديدة",
  creating: "جارٍ الإنشاء",
  name: "الاسم",
  nameHelp: "للأشخاص، مثل اسم المالك. لا يلزم أن تكون الأسماء فريدة.",
  scopes: "صلاحيات مفتاحها الأول",
  firstKey: "المفتاح الأول",
  created: (name) => `المفتاح الأول لـ ${isolated(name)}`,
};

export const workspace: typeof en.workspace = {
  notFound: "لا توجد مساحة عمل كهذه",
  notFoundHelp: "معرّفها خاطئ، أو لم توجد هنا قط.",
  facts: "البيانات",
  updated: "آخر تغيير",
  rename: "إعادة التسمية",
  renaming: "جارٍ الحفظ",
  keys: "مفاتيح API",
  keysHelp: "لتبديل مفتاح أو إبطاله، ادخل إلى مساحة العمل.",
  noKeys: "لا مفاتيح بعد",
  noKeysHelp: "تحتاج برامجها، والأشخاص العاملون فيها هنا، إلى مفتاح.",
  suspend: "تعليق",
  suspending: "جارٍ التعليق",
  suspendAsk: (name) => `تعليق ${isolated(name)}؟`,
  suspendKeys: (live, isMore) => {
    if (isMore) return `يُرفض أكثر من ${figure(live)} مفتاح خلال 5 ثوانٍ، وتنتهي جلساتها هنا.`;
    if (live === 0) return "لا مفتاح ساريًا لها. تنتهي جلساتها هنا.";
    return `${plural(live, {
      one: "يُرفض مفتاح واحد",
      two: "يُرفض مفتاحان",
      few: "تُرفض # مفاتيح",
      many: "يُرفض # مفتاحًا",
      other: "يُرفض # مفتاح",
    })} خلال 5 ثوانٍ، وتنتهي جلساتها هنا.`;
  },
  suspendUncounted: "تُرفض مفاتيحها خلال 5 ثوانٍ، وتنتهي جلساتها هنا.",
  suspendEffect: "تُرسل الرسائل التي سبق قبولها، ويُحفظ ما يصل.",
  keepActive: "إبقاؤها نشطة",
  resume: "استئناف",
  resuming: "جارٍ الاستئناف",
  suspended: "مساحة العمل معلّقة: تُرفض مفاتيحها حتى تُستأنف.",
};
