import type * as en from "../en/keys.ts";

export const keys: typeof en.keys = {
  go: "انتقال إلى",
  paletteKeys: "Ctrl K أو ⌘ K",
  palette: "انتقال إلى صفحة أو معرّف أو رقم",
  placeholder: "صفحة أو معرّف أو رقم هاتف",
  places: "الوجهات",
  help: "اختصارات لوحة المفاتيح",
  filter: "البحث في القائمة",
  next: "الصف التالي",
  previous: "الصف السابق",
  refresh: "إعادة القراءة",
  single: "اختصارات المفاتيح المفردة",
  close: "إغلاق",
};
