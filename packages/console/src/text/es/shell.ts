import type * as en from "../en/shell.ts";
import { figure, plural } from "./forms.ts";

export const product: typeof en.product = "Waypost";
export const skip: typeof en.skip = "Ir al contenido";
export const loading: typeof en.loading = "Cargando";

export const nav: typeof en.nav = {
  label: "Páginas",
  home: "Inicio",
  messages: "Mensajes",
  failures: "Errores",
  conversations: "Conversaciones",
  chats: "Chats",
  templates: "Plantillas",
  contacts: "Contactos",
  segments: "Segmentos",
  endpoints: "Webhooks",
  events: "Eventos",
  numbers: "Números",
  activity: "Actividad",
  settings: "Configuración",
  quarantine: "Cuarentena",
  audit: "Auditoría",
  system: "Sistema",
  workspaces: "Espacios de trabajo",
  reference: "Referencia de la API",
  phone: "Teléfono virtual",
  more: "Más",
  narrow: "Contraer la barra",
  wide: "Ampliar la barra",
};

export const header: typeof en.header = {
  signOut: "Cerrar sesión",
  theme: { label: "Colores", system: "Como el sistema", light: "Claro", dark: "Oscuro" },
  density: { label: "Filas", comfortable: "Amplias", compact: "Compactas" },
  language: { label: "Idioma", browser: "Como el navegador" },
  zone: { label: "Horas", local: "Locales", utc: "UTC" },
  account: (name) => `Sesión iniciada con ${name}`,
  operator: "Operador",
  live: { on: "En vivo", polling: "Cada 10 s", off: "Sin conexión" },
  liveMeans: {
    on: "Los cambios se muestran en el momento en que ocurren.",
    polling: "No hay conexión en vivo; lo que se muestra se actualiza cada 10 segundos.",
    off: "Este navegador no tiene conexión. Lo que se muestra puede estar desactualizado.",
  },
  ends: (span) => `Tu sesión termina en ${span}.`,
  extend: "Cualquier clic o tecla la prolonga.",
  signInAgain: "Inicia sesión de nuevo para continuar.",
  offline: "No tienes conexión. Lo que ves se cargó antes.",
};

export const signIn: typeof en.signIn = {
  title: "Iniciar sesión",
  key: "Clave",
  keyHelp: "Una clave de API de un espacio de trabajo (wp_live_…), o la clave del operador.",
  submit: "Iniciar sesión",
  busy: "Iniciando sesión",
  missing: "Ingresa una clave.",
  where: "¿Dónde consigo una?",
  whereAnswers: [
    "npm start muestra un enlace que inicia sesión y una clave de API.",
    "waypost console muestra otro enlace mientras npm start está en marcha.",
    "En los demás casos, el operador crea una con waypost key create.",
  ],
  kept: "La clave no se guarda en este navegador: recibe una cookie que los scripts no pueden leer.",
  ended: "Tu sesión terminó. Inicia sesión de nuevo.",
};

export const operatorBar: typeof en.operatorBar = {
  inside: (workspace) =>
    `Eres el operador y estás en el espacio de trabajo ${workspace}. Lo que haces aquí queda en su registro de auditoría.`,
  leave: "Salir",
};

export const tray: typeof en.tray = {
  title: "Lo que iniciaste",
  running: (works) => `${figure(works)} en curso`,
  ended: (works) => plural(works, { one: "# terminada", other: "# terminadas" }),
  failed: (works) => plural(works, { one: "# fallida", other: "# fallidas" }),
};
