import type * as en from "../en/import-preview.ts";
import { figure, isolated, plural } from "./forms.ts";

export const importPreview: typeof en.importPreview = {
  noText: `الملف ليس بترميز UTF-8. احفظه في Excel بصيغة ${isolated("CSV UTF-8")}.`,
  unreadable: "لا يستطيع المتصفح قراءة الملف. اختره مرة أخرى.",
  rows: "الصفوف الأولى",
  rowsHelp: "يُتحقق من وجود الرقم في بلده أثناء قراءة الملف.",
  line: "السطر",
  fault: "سبب الرفض",
  ofColumn: (column, reason) => `${isolated(column)}: ${reason}`,
  summary: "ما الذي يفعله الاستيراد",
  facts: {
    seen: "الصفوف المعروضة",
    faulty: "المرفوض منها",
    taken: "الأعمدة المأخوذة",
    left: "الأعمدة المتروكة",
    consent: "التسويق",
  },
  seen: (rows, isAll) =>
    isAll
      ? plural(rows, { one: "صف واحد، وهو الوحيد", other: "#، وهي كل الصفوف" })
      : `أول ${figure(rows)}؛ ويُتحقق من الباقي أثناء قراءته`,
  faulty: (rows) =>
    rows === 0
      ? "لا شيء"
      : `${plural(rows, {
          one: "صف واحد، يُدرج",
          two: "صفان، يُدرجان",
          few: "# صفوف، تُدرج",
          many: "# صفًّا، تُدرج",
          other: "# صف، تُدرج",
        })} في قائمة بعد ذلك؛ ويؤخذ الباقي`,
  column: (name, field) => `${isolated(name)} بصفة ${isolated(field)}`,
  noColumn: "لا شيء",
  consent: "الخلية المملوءة هي ما يقوله الشخص الآن: تحل محل المعروف عنه، حتى لو كان STOP سابقًا.",
  noConsent: "لا عمود يذكر ذلك: يبقى المعروف كما هو، وجهة الاتصال الجديدة لم تذكر شيئًا.",
  noPhone: "يُرفض الملف: لا عمود فيه رقم الهاتف أو معرّف جهة الاتصال.",
  twice: (one, other) => `يُرفض الملف: العمودان ${isolated(one)} و${isolated(other)} هما الحقل نفسه. تجاهل أحدهما.`,
  faults: {
    plain: {
      missing: "غير موجود",
      noPlus: `لا يبدأ بعلامة ${isolated("+")} ورمز الدولة`,
      zeros: `يبدأ بـ ${isolated("00")} بدلًا من ${isolated("+")}`,
      twoPlus: `فيه أكثر من علامة ${isolated("+")}`,
      zero: "لا رمز دولة يبدأ بصفر",
      long: "أطول من أن يكون رقمًا",
      id: "ليس معرّف جهة اتصال",
      twice: "مذكور مرتين بقيمتين",
      cells: "عدد خلايا الصف لا يساوي عدد الأعمدة",
      number: "ليس عددًا",
      boolean: `ليس ${isolated("true")} ولا ${isolated("false")}`,
      json: `ليس كائن JSON مثل ${isolated('{"city":"Recife"}')}`,
    },
    sign: (sign) => `فيه ${isolated(sign)} ولا رقم يحوي ذلك`,
    digits: (digits) =>
      `فيه ${plural(digits, {
        zero: "# خانة",
        one: "خانة واحدة (#)",
        two: "خانتان (#)",
        few: "# خانات",
        many: "# خانة",
        other: "# خانة",
      })}، وللرقم من 8 إلى 15 خانة`,
    name: (most) => `يجب أن يكون سطرًا واحدًا لا يتجاوز عدد محارفه ${figure(most)}`,
    email: (most) => `يجب أن يكون عنوان بريد إلكتروني لا يتجاوز عدد محارفه ${figure(most)}`,
    locale: `يجب أن يكون لغة مثل ${isolated("pt_BR")}`,
    tags: (most, characters) => `عدد الوسوم لا يتجاوز ${figure(most)}، ومحارف كل منها لا تتجاوز ${figure(characters)}`,
    consent: `يجب أن يكون ${isolated("opted_in")} أو ${isolated("opted_out")} أو ${isolated("unknown")}`,
    attributes: (most, characters) =>
      `عدد البيانات لا يتجاوز ${figure(most)}، وكل منها نص لا تتجاوز محارفه ${figure(characters)} أو عدد أو ${isolated("true")} أو ${isolated("false")}`,
  },
};
