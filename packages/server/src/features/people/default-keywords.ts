/** Keywords by language (a BCP 47 tag), as a person would write them. */
export type Keywords = Readonly<Record<string, readonly string[]>>;

// Words that say nothing else as a whole message: "no", "cancel" or "end" also answer a question about an order.

/** Stop marketing. */
export const DEFAULT_OPT_OUT: Keywords = {
  en: ["STOP", "STOP ALL", "STOPALL", "UNSUBSCRIBE", "OPT OUT", "OPT-OUT", "OPTOUT"],
  es: ["BAJA", "PARAR", "DETENER", "CANCELAR SUSCRIPCIÓN", "DARME DE BAJA"],
  pt: ["PARAR", "SAIR", "CANCELAR INSCRIÇÃO", "DESCADASTRAR", "PARE"],
  fr: ["STOP", "ARRET", "ARRÊT", "ARRETER", "ARRÊTER", "DÉSABONNER", "DESABONNER", "SE DÉSABONNER"],
  de: ["STOPP", "STOP", "ABMELDEN", "ABBESTELLEN", "AUSTRAGEN"],
  it: ["STOP", "FERMA", "CANCELLAMI", "DISISCRIVIMI", "ANNULLA ISCRIZIONE"],
  nl: ["STOP", "STOPPEN", "AFMELDEN", "UITSCHRIJVEN"],
  pl: ["STOP", "WYPISZ", "REZYGNUJĘ", "WYPISZ MNIE"],
  tr: ["DUR", "DURDUR", "ABONELİKTEN ÇIK"],
  id: ["BERHENTI", "STOP", "BERHENTI BERLANGGANAN"],
  ms: ["BERHENTI", "HENTI"],
  vi: ["DỪNG", "HỦY ĐĂNG KÝ"],
  ru: ["СТОП", "ОТПИСАТЬСЯ", "ОТПИСКА"],
  uk: ["СТОП", "ВІДПИСАТИСЯ"],
  hi: ["रोकें", "बंद करें", "बंद", "सदस्यता समाप्त करें"],
  ar: ["توقف", "إيقاف", "ايقاف", "إلغاء الاشتراك", "الغاء الاشتراك"],
  he: ["הסר", "הסירו", "הפסק"],
  ja: ["停止", "配信停止", "ストップ"],
  ko: ["수신거부", "중지"],
  zh: ["停止", "退订", "退訂", "取消订阅", "取消訂閱"],
};

/** Have marketing again. */
export const DEFAULT_OPT_IN: Keywords = {
  en: ["START", "UNSTOP", "SUBSCRIBE", "RESUBSCRIBE", "OPT IN", "OPT-IN", "OPTIN"],
  es: ["ALTA", "SUSCRIBIR", "SUSCRIBIRME", "REANUDAR"],
  pt: ["VOLTAR", "ASSINAR", "INSCREVER", "RETOMAR"],
  fr: ["REPRENDRE", "ABONNER", "S'ABONNER", "REPRISE"],
  de: ["START", "ANMELDEN", "ABONNIEREN"],
  it: ["RIPRENDI", "ISCRIVIMI", "ISCRIZIONE"],
  nl: ["START", "AANMELDEN", "INSCHRIJVEN"],
  pl: ["START", "ZAPISZ", "ZAPISZ MNIE"],
  tr: ["BAŞLAT", "ABONE OL"],
  id: ["MULAI", "LANGGANAN", "BERLANGGANAN"],
  ms: ["MULA", "LANGGAN"],
  vi: ["BẮT ĐẦU", "ĐĂNG KÝ"],
  ru: ["СТАРТ", "ПОДПИСАТЬСЯ"],
  uk: ["СТАРТ", "ПІДПИСАТИСЯ"],
  hi: ["शुरू", "शुरू करें", "सदस्यता लें"],
  ar: ["ابدأ", "ابدا", "اشتراك", "اشترك"],
  he: ["הצטרף", "הרשמה"],
  ja: ["開始", "配信再開"],
  ko: ["수신동의", "시작"],
  zh: ["开始", "開始", "订阅", "訂閱"],
};
