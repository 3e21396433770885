import type * as en from "../en/workspaces.ts";
import { figure, plural } from "./forms.ts";

export const workspaces: typeof en.workspaces = {
  title: "Espacios de trabajo",
  lead: "Entra en uno para ver sus mensajes como los ve su gente.",
  columns: { name: "Nombre", status: "Estado", created: "Creado", enter: "Entrar" },
  enter: "Entrar",
  enterNamed: (name) => `Entrar en ${name}`,
  empty: "Aún no hay espacios de trabajo",
  emptyHelp: "Un espacio de trabajo tiene su propia gente, sus números y sus claves; ningún otro los ve.",
  create: "Espacio de trabajo nuevo",
  creating: "Creando",
  name: "Nombre",
  nameHelp: "Para las personas, como su responsable. No hace falta que sea único.",
  scopes: "Permisos de su primera clave",
  firstKey: "Primera clave",
  created: (name) => `La primera clave de ${name}`,
};

export const workspace: typeof en.workspace = {
  notFound: "Este espacio de trabajo no existe",
  notFoundHelp: "Su ID es incorrecto o nunca estuvo aquí.",
  facts: "Datos",
  updated: "Modificado",
  rename: "Cambiar nombre",
  renaming: "Guardando",
  keys: "Claves de API",
  keysHelp: "Para rotar o revocar una, entra en el espacio de trabajo.",
  noKeys: "Aún no hay claves",
  noKeysHelp: "Sus programas, y su gente aquí, necesitan una.",
  suspend: "Suspender",
  suspending: "Suspendiendo",
  suspendAsk: (name) => `¿Suspender ${name}?`,
  suspendKeys: (live, isMore) => {
    if (isMore) return `Más de ${figure(live)} claves se rechazan en 5 segundos, y sus sesiones aquí terminan.`;
    if (live === 0) return "No tiene ninguna clave válida. Sus sesiones aquí terminan.";
    return `${plural(live, { one: "# clave se rechaza", other: "# claves se rechazan" })} en 5 segundos, y sus sesiones aquí terminan.`;
  },
  suspendUncounted: "Sus claves se rechazan en 5 segundos, y sus sesiones aquí terminan.",
  suspendEffect: "Los mensajes ya aceptados se siguen enviando, y lo que llega se conserva.",
  keepActive: "Mantener activo",
  resume: "Reanudar",
  resuming: "Reanudando",
  suspended: "Está suspendido: sus claves se rechazan hasta que se reanude.",
};
