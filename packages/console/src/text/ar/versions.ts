import type * as en from "../en/versions.ts";

export const versions: typeof en.versions = {
  label: "النسختان",
  changed: "غيّره شخص أو برنامج آخر في هذه الأثناء. يبقى ما أدخلته هنا.",
  reading: "جارٍ قراءة ما هو عليه الآن",
  field: "الحقل",
  theirs: "نسخته الآن",
  mine: "نسختك",
  untouched: "لم تغيّره: تبقى النسخة الأخرى",
  same: "لا يختلف أي حقل هنا عمّا هو عليه الآن.",
  nothing: "–",
  yes: "نعم",
  no: "لا",
  take: "اعتماد النسخة الأخرى",
  keep: "إبقاء نسختي وحفظها",
};
