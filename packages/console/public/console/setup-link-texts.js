// All that people read on the page of a setup link. Each language has the names of English; `{name}` is the workspace that asks.
const en = {
  loading: "Loading",
  language: "Language",
  title: "Connect WhatsApp to {name}",
  lead: "{name} would like to send and receive messages with your WhatsApp Business account. Log in with the provider, and choose the business, the account and what may be done with it.",
  login: "Log in with the provider",
  loginAgain: "Log in again",
  until: "This link works until {time}.",
  declined: "The login was left without an account. Nothing was connected.",
  connecting: "Connecting",
  step: "{done} of {all} steps are done",
  goesOn: "This goes on when you close the page. Open the link again to see how it stands.",
  failed: "This is not connected yet",
  again: "Try again",
  goOn: "Go on",
  pin: "Two-step PIN of the number, six digits",
  account: "Account to connect",
  details: "Details for support",
  back: "Back to {host}",
  notAsked: "That answer did not belong to this page. Log in here.",
  offline: "No answer",
  offlineHelp: "The service did not answer. This page tries again by itself.",
  notDone: "That did not work. Try again in a moment.",
  returned: { title: "Back from the provider", help: "Go on in the window where you began. This one can be closed." },
  ends: {
    completed: { title: "Your account is connected", help: "{name} can now use it. You can close this page." },
    revoked: {
      title: "This link was withdrawn",
      help: "Nothing can be connected with it any more. Ask {name} for a new one.",
    },
    expired: { title: "This link has expired", help: "Ask {name} for a new one." },
    unknown: {
      title: "This link does not work",
      help: "Open the whole link that you were sent. If it still does not work, ask for a new one.",
    },
    suspended: { title: "This link does not work now", help: "Ask the business that sent it to you." },
    blocked: {
      title: "This browser keeps nothing for this page",
      help: "Allow cookies and site data for it and open the link again, or use another browser.",
    },
  },
  reasons: {
    code_expired: "The login was not finished in time. Log in again.",
    code_rejected: "The provider did not accept the login. Log in again.",
    token_invalid: "The provider has ended the login. Log in again.",
    token_of_another_app: "The login was for another app. Log in again, on this page.",
    scope_missing:
      "A permission was left out. Log in again, and allow both: to manage the account, and to send its messages.",
    account_not_granted: "The account was not allowed. Log in again, and choose it.",
    account_required: "You have allowed several accounts. Choose the one to connect.",
    phone_number_not_found: "The account does not have the phone number that was chosen. Log in again.",
    phone_number_not_verified: "The phone number is not verified yet. Verify it with the provider, then try again.",
    pin_wrong: "The phone number has a two-step PIN already. Enter it to go on.",
    conflict:
      "The account or its number is connected elsewhere. It has to be disconnected there first; then try again.",
    provider_rejected: "The provider refused a step. The details say why; try again when that is settled.",
    provider_unavailable: "The provider gave no answer for a long time. Try again.",
    secrets_unreadable: "The login can no longer be used. Log in again.",
    given_up: "It ended without a result. Try again.",
  },
};

const es = {
  loading: "Cargando",
  language: "Idioma",
  title: "Conectar WhatsApp con {name}",
  lead: "{name} quiere enviar y recibir mensajes con tu cuenta de WhatsApp Business. Inicia sesión con el proveedor y elige la empresa, la cuenta y lo que se puede hacer con ella.",
  login: "Iniciar sesión con el proveedor",
  loginAgain: "Iniciar sesión de nuevo",
  until: "Este enlace funciona hasta el {time}.",
  declined: "El inicio de sesión terminó sin una cuenta. No se conectó nada.",
  connecting: "Conectando",
  step: "{done} de {all} pasos hechos",
  goesOn: "Esto continúa aunque cierres la página. Abre el enlace de nuevo para ver cómo va.",
  failed: "Todavía no está conectada",
  again: "Intentar de nuevo",
  goOn: "Continuar",
  pin: "PIN de verificación en dos pasos del número, seis dígitos",
  account: "Cuenta que se conecta",
  details: "Detalles para el soporte",
  back: "Volver a {host}",
  notAsked: "Esa respuesta no era de esta página. Inicia sesión aquí.",
  offline: "Sin respuesta",
  offlineHelp: "El servicio no respondió. Esta página lo intenta de nuevo por sí sola.",
  notDone: "No funcionó. Intenta de nuevo en un momento.",
  returned: { title: "De vuelta del proveedor", help: "Continúa en la ventana donde empezaste. Esta se puede cerrar." },
  ends: {
    completed: { title: "Tu cuenta está conectada", help: "{name} ya puede usarla. Puedes cerrar esta página." },
    revoked: {
      title: "Este enlace fue retirado",
      help: "Ya no se puede conectar nada con él. Pide uno nuevo a {name}.",
    },
    expired: { title: "Este enlace caducó", help: "Pide uno nuevo a {name}." },
    unknown: {
      title: "Este enlace no funciona",
      help: "Abre el enlace completo que recibiste. Si sigue sin funcionar, pide uno nuevo.",
    },
    suspended: { title: "Este enlace no funciona ahora", help: "Consulta a la empresa que te lo envió." },
    blocked: {
      title: "Este navegador no guarda nada para esta página",
      help: "Permite sus cookies y datos del sitio y abre el enlace de nuevo, o usa otro navegador.",
    },
  },
  reasons: {
    code_expired: "El inicio de sesión no terminó a tiempo. Inicia sesión de nuevo.",
    code_rejected: "El proveedor no aceptó el inicio de sesión. Inicia sesión de nuevo.",
    token_invalid: "El proveedor terminó la sesión. Inicia sesión de nuevo.",
    token_of_another_app: "El inicio de sesión era de otra app. Inicia sesión de nuevo, en esta página.",
    scope_missing:
      "Faltó un permiso. Inicia sesión de nuevo y permite ambos: administrar la cuenta y enviar sus mensajes.",
    account_not_granted: "La cuenta no fue permitida. Inicia sesión de nuevo y elígela.",
    account_required: "Permitiste varias cuentas. Elige la que se conecta.",
    phone_number_not_found: "La cuenta no tiene el número elegido. Inicia sesión de nuevo.",
    phone_number_not_verified: "El número aún no está verificado. Verifícalo con el proveedor e intenta de nuevo.",
    pin_wrong: "El número ya tiene un PIN de verificación en dos pasos. Escríbelo para continuar.",
    conflict:
      "La cuenta o su número está conectado en otro lugar. Primero hay que desconectarlo allí; después intenta de nuevo.",
    provider_rejected:
      "El proveedor rechazó un paso. Los detalles dicen por qué; intenta de nuevo cuando esté resuelto.",
    provider_unavailable: "El proveedor no respondió durante mucho tiempo. Intenta de nuevo.",
    secrets_unreadable: "El inicio de sesión ya no se puede usar. Inicia sesión de nuevo.",
    given_up: "Terminó sin resultado. Intenta de nuevo.",
  },
};

const pt = {
  loading: "Carregando",
  language: "Idioma",
  title: "Conectar o WhatsApp a {name}",
  lead: "{name} quer enviar e receber mensagens com a sua conta do WhatsApp Business. Entre com o provedor e escolha a empresa, a conta e o que pode ser feito com ela.",
  login: "Entrar com o provedor",
  loginAgain: "Entrar de novo",
  until: "Este link funciona até {time}.",
  declined: "O login terminou sem uma conta. Nada foi conectado.",
  connecting: "Conectando",
  step: "{done} de {all} etapas concluídas",
  goesOn: "Isto continua mesmo com a página fechada. Abra o link de novo para ver o andamento.",
  failed: "Ainda não está conectada",
  again: "Tentar de novo",
  goOn: "Continuar",
  pin: "PIN de duas etapas do número, seis dígitos",
  account: "Conta a conectar",
  details: "Detalhes para o suporte",
  back: "Voltar para {host}",
  notAsked: "Essa resposta não era desta página. Entre por aqui.",
  offline: "Sem resposta",
  offlineHelp: "O serviço não respondeu. Esta página tenta de novo sozinha.",
  notDone: "Não funcionou. Tente de novo em instantes.",
  returned: { title: "De volta do provedor", help: "Continue na janela onde você começou. Esta pode ser fechada." },
  ends: {
    completed: { title: "Sua conta está conectada", help: "{name} já pode usá-la. Você pode fechar esta página." },
    revoked: { title: "Este link foi cancelado", help: "Nada mais pode ser conectado com ele. Peça um novo a {name}." },
    expired: { title: "Este link expirou", help: "Peça um novo a {name}." },
    unknown: {
      title: "Este link não funciona",
      help: "Abra o link inteiro que você recebeu. Se ainda não funcionar, peça um novo.",
    },
    suspended: { title: "Este link não funciona agora", help: "Fale com a empresa que o enviou." },
    blocked: {
      title: "Este navegador não guarda nada para esta página",
      help: "Permita os cookies e dados do site e abra o link de novo, ou use outro navegador.",
    },
  },
  reasons: {
    code_expired: "O login não terminou a tempo. Entre de novo.",
    code_rejected: "O provedor não aceitou o login. Entre de novo.",
    token_invalid: "O provedor encerrou o login. Entre de novo.",
    token_of_another_app: "O login era de outro app. Entre de novo, nesta página.",
    scope_missing: "Faltou uma permissão. Entre de novo e permita ambas: gerenciar a conta e enviar as mensagens dela.",
    account_not_granted: "A conta não foi permitida. Entre de novo e escolha-a.",
    account_required: "Você permitiu várias contas. Escolha a que será conectada.",
    phone_number_not_found: "A conta não tem o número escolhido. Entre de novo.",
    phone_number_not_verified: "O número ainda não foi verificado. Verifique-o com o provedor e tente de novo.",
    pin_wrong: "O número já tem um PIN de duas etapas. Digite-o para continuar.",
    conflict: "A conta ou o número está conectado em outro lugar. Primeiro desconecte lá; depois tente de novo.",
    provider_rejected:
      "O provedor recusou uma etapa. Os detalhes dizem por quê; tente de novo quando estiver resolvido.",
    provider_unavailable: "O provedor ficou muito tempo sem responder. Tente de novo.",
    secrets_unreadable: "O login não pode mais ser usado. Entre de novo.",
    given_up: "Terminou sem resultado. Tente de novo.",
  },
};

const ar = {
  loading: "جارٍ التحميل",
  language: "اللغة",
  title: "توصيل واتساب مع {name}",
  lead: "تريد جهة {name} إرسال الرسائل واستقبالها بحسابك في واتساب للأعمال. سجّل الدخول لدى مزوّد الخدمة، ثم اختر النشاط التجاري والحساب وما يُسمح به.",
  login: "تسجيل الدخول لدى مزوّد الخدمة",
  loginAgain: "تسجيل الدخول من جديد",
  until: "يعمل هذا الرابط حتى {time}.",
  declined: "انتهى تسجيل الدخول بلا حساب. لم يُوصَّل شيء.",
  connecting: "جارٍ التوصيل",
  step: "اكتملت {done} من {all} خطوات",
  goesOn: "يستمر هذا حتى إذا أغلقت الصفحة. افتح الرابط من جديد لترى إلى أين وصل.",
  failed: "لم يُوصَّل الحساب بعد",
  again: "إعادة المحاولة",
  goOn: "متابعة",
  pin: "رمز PIN للتحقق بخطوتين لهذا الرقم، ستة أرقام",
  account: "الحساب المراد توصيله",
  details: "تفاصيل للدعم",
  back: "العودة إلى {host}",
  notAsked: "لم يكن ذلك الرد لهذه الصفحة. سجّل الدخول من هنا.",
  offline: "لا رد",
  offlineHelp: "لم تردّ الخدمة. تعيد هذه الصفحة المحاولة من تلقاء نفسها.",
  notDone: "لم ينجح ذلك. أعد المحاولة بعد قليل.",
  returned: { title: "عودة من مزوّد الخدمة", help: "تابع في النافذة التي بدأت منها. يمكن إغلاق هذه النافذة." },
  ends: {
    completed: { title: "تم توصيل حسابك", help: "يمكن لجهة {name} استخدامه الآن. يمكنك إغلاق هذه الصفحة." },
    revoked: { title: "أُلغي هذا الرابط", help: "لم يعد بالإمكان توصيل شيء به. اطلب رابطًا جديدًا من {name}." },
    expired: { title: "انتهت صلاحية هذا الرابط", help: "اطلب رابطًا جديدًا من {name}." },
    unknown: {
      title: "هذا الرابط لا يعمل",
      help: "افتح الرابط الذي وصلك كاملًا. إذا لم يعمل بعد ذلك فاطلب رابطًا جديدًا.",
    },
    suspended: { title: "هذا الرابط لا يعمل الآن", help: "اسأل الجهة التي أرسلته إليك." },
    blocked: {
      title: "هذا المتصفح لا يحفظ شيئًا لهذه الصفحة",
      help: "اسمح بملفات تعريف الارتباط وبيانات الموقع ثم افتح الرابط من جديد، أو استخدم متصفحًا آخر.",
    },
  },
  reasons: {
    code_expired: "لم يكتمل تسجيل الدخول في الوقت المحدد. سجّل الدخول من جديد.",
    code_rejected: "لم يقبل مزوّد الخدمة تسجيل الدخول. سجّل الدخول من جديد.",
    token_invalid: "أنهى مزوّد الخدمة تسجيل الدخول. سجّل الدخول من جديد.",
    token_of_another_app: "كان تسجيل الدخول لتطبيق آخر. سجّل الدخول من جديد في هذه الصفحة.",
    scope_missing: "نقص أحد الأذونات. سجّل الدخول من جديد واسمح بكليهما: إدارة الحساب وإرسال رسائله.",
    account_not_granted: "لم يُسمح بالحساب. سجّل الدخول من جديد واختره.",
    account_required: "سمحت بعدة حسابات. اختر الحساب المراد توصيله.",
    phone_number_not_found: "الرقم المختار ليس في هذا الحساب. سجّل الدخول من جديد.",
    phone_number_not_verified: "لم يُتحقق من الرقم بعد. تحقق منه لدى مزوّد الخدمة ثم أعد المحاولة.",
    pin_wrong: "لهذا الرقم رمز PIN للتحقق بخطوتين. أدخله للمتابعة.",
    conflict: "الحساب أو رقمه موصّل في مكان آخر. يجب فصله هناك أولًا، ثم أعد المحاولة.",
    provider_rejected: "رفض مزوّد الخدمة إحدى الخطوات. تجد السبب في التفاصيل؛ أعد المحاولة عندما يُحل ذلك.",
    provider_unavailable: "لم يردّ مزوّد الخدمة مدة طويلة. أعد المحاولة.",
    secrets_unreadable: "لم يعد بالإمكان استخدام تسجيل الدخول. سجّل الدخول من جديد.",
    given_up: "انتهى ذلك بلا نتيجة. أعد المحاولة.",
  },
};

/** As the console's: `src/text/languages.ts`. */
export const LANGUAGES = {
  en: { name: "English", direction: "ltr", locale: "en", words: en },
  es: { name: "Español", direction: "ltr", locale: "es", words: es },
  "pt-BR": { name: "Português (Brasil)", direction: "ltr", locale: "pt-BR", words: pt },
  ar: { name: "العربية", direction: "rtl", locale: "ar-u-nu-latn", words: ar },
};

/** The one that was chosen in this browser, in the console too, or that it asks for. */
export function languageHere() {
  let chosen = null;
  try {
    chosen = localStorage.getItem("waypost-language");
  } catch {
    // Storage is switched off.
  }
  return languageOf(chosen, navigator.languages);
}

/** The chosen one, else the first that the browser asks for. */
export function languageOf(chosen, asked) {
  if (chosen !== null && Object.hasOwn(LANGUAGES, chosen)) return chosen;
  const base = (tag) => tag.toLowerCase().split("-")[0];
  const tags = Object.keys(LANGUAGES);
  const near = (tag) =>
    tags.find((one) => one.toLowerCase() === tag.toLowerCase()) ?? tags.find((one) => base(one) === base(tag));
  return asked.map(near).find(Boolean) ?? "en";
}
