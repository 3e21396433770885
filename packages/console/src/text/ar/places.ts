import type * as en from "../en/places.ts";
import { isolated } from "./forms.ts";

const IDS = `المعرّفات (${isolated("msg_…")} و${isolated("con_…")} و${isolated("evt_…")} وغيرها)`;

export const places: typeof en.places = {
  none: `لا شيء بهذا الاسم. تُفهم أسماء الصفحات و${IDS} و${isolated("wamid.…")} ومعرّفات مزوّد الخدمة وأرقام الهاتف.`,
  badId: `تُفهم ${IDS} و${isolated("wamid.…")} وأرقام الهاتف.`,
  messagesOf: (value) => `رسائل ${isolated(value)}`,
  contactWith: (value) => `جهة الاتصال ذات ${isolated(value)}`,
  callsAbout: (id) => `الطلبات عن ${isolated(id)}`,
  callsWith: (id) => `الطلبات بالمفتاح ${isolated(id)}`,
  kinds: {
    msg: "الرسالة",
    con: "جهة الاتصال",
    whe: "نقطة النهاية",
    dlv: "التسليم",
    tpl: "القالب",
    num: "الرقم",
    acc: "حساب الأعمال",
    sgn: "التسجيل",
    evt: "الحدث",
    imp: "الاستيراد",
    seg: "الشريحة",
    key: "مفتاح API",
    aud: "الطلب",
    qrn: "الحجر",
    ws: "مساحة العمل",
  },
  of: (kind, id) => `${kind} ${isolated(id)}`,
};
