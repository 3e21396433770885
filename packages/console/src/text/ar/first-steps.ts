import type * as en from "../en/first-steps.ts";
import { figure, isolated } from "./forms.ts";

export const firstSteps: typeof en.firstSteps = {
  title: (done, all) => `الخطوات الأولى: ${figure(done)} من ${figure(all)}`,
  all: "اكتملت الخطوات الأولى",
  hide: "إخفاء",
  beside: "فتح الهاتف بجانب هذه النافذة",
  unseen: (scopes) => `ينقص هذا المفتاح ${scopes}: لا يُرى ما تم هناك.`,
  connect: "توصيل رقم حقيقي",
  connectHelp: "يعمل كل هذا بالطريقة نفسها مع رقم خاص بك.",
  done: "تم",
  open: "لم تتم بعد",
  received: (kind) => `استلم «${isolated(kind)}»`,
  receiver: "المستقبِل المدمج في لوحة التحكم",
  steps: {
    send: {
      name: "إرسال رسالة",
      help: "قالب معتمد إلى Ann، وهي شخصية في المحاكي. تابع إرساله ووصوله وقراءته.",
      way: "كتابة الرسالة",
    },
    answer: {
      name: "الرد من الهاتف",
      help: "يعمل الهاتف الافتراضي بجانب هذه البوابة. يفتح الرد نافذة الـ 24 ساعة.",
      way: "فتح الهاتف",
    },
    reply: {
      name: "الرد خلال 24 ساعة",
      help: "يمكن إرسال أي نص ما دامت النافذة مفتوحة.",
      way: "كتابة رد",
    },
    receive: {
      name: "استقبال خطاف ويب",
      help: "ترسل البوابة إلى مستقبِل خاص بها. لبرنامجك: \u2066waypost listen http://localhost:3000\u2069",
      way: "الاستقبال هنا",
      look: "عرض ما استلمه",
    },
    break: {
      name: "تجربة الإخفاق",
      help: "يفشل الإرسال إلى هؤلاء المستلمين دائمًا. شاهد كيف يُعرض ذلك وما يفعله Waypost حياله.",
      ways: { notReachable: "ليس على WhatsApp", overloaded: "مزوّد الخدمة مثقل", noAnswer: "لا رد إطلاقًا" },
    },
  },
};
