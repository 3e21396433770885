import type * as en from "../en/webhooks.ts";
import { figure, plural } from "./forms.ts";

export const endpoints: typeof en.endpoints = {
  title: "Webhooks",
  lead: "A dónde se envían los eventos, en el momento en que ocurren.",
  columns: {
    status: "Estado",
    url: "Dirección",
    events: "Eventos",
    day: "Últimas 24 horas",
    p95: "95 % en menos de",
    next: "Próximo intento",
    changed: "Modificado",
  },
  day: (succeeded, failed) =>
    succeeded + failed === 0
      ? "Ningún intento en 24 horas"
      : `En 24 horas: ${plural(succeeded, { one: "# exitoso", other: "# exitosos" })} y ${plural(failed, { one: "# fallido", other: "# fallidos" })}`,
  allEvents: "Todos los eventos",
  count: (events) => plural(events, { one: "# tipo", other: "# tipos" }),
  provider: "Formato del proveedor",
  create: "Endpoint nuevo",
  creating: "Creando",
  empty: "Aún no hay endpoints",
  emptyHelp:
    "Un endpoint es una dirección tuya que recibe un POST por cada evento. Crea uno, con el secreto que sirve para verificarlos.",
  created: "El secreto del endpoint",
  createdHelp: "Las entregas se firman con él. Se muestra solo esta vez: guárdalo donde tu receptor lo lea.",

  form: {
    url: "Dirección",
    urlHelp: "Una dirección https que responda con 2xx. En el equipo de desarrollo también sirve http en loopback.",
    urlExample: "https://example.com/hooks",
    description: "Descripción",
    format: "Formato",
    formats: { waypost: "Eventos de Waypost", provider: "Callbacks del proveedor" },
    formatHelp: "El del proveedor: para un receptor que ya lee sus callbacks. No se puede cambiar después.",
    events: "Eventos",
    all: "Todos los eventos, y los de versiones futuras",
    allHelp: "Responde con 2xx a los tipos que no conozcas.",
    groups: {
      messages: "Mensajes",
      statuses: "Estados de los mensajes",
      contacts: "Contactos",
      templates: "Plantillas",
      accounts: "Cuentas y números",
      threads: "Otros programas que responden",
      operations: "Endpoints",
    },
    fields: "Campos de los callbacks",
    fieldGroups: { people: "Entre números y personas", accounts: "Cuentas y números", templates: "Plantillas" },
    verifyToken: "Token de verificación",
    verifyTokenHelp: "Si lo hay, la dirección se verifica como lo hace el proveedor, ahora y cada vez que cambie.",
    secret: "Tu propio secreto",
    secretHelp: "El secreto de la app que tu receptor ya tiene. Si no lo indicas, se crea uno.",
    ordered: "Mantener el orden de cada conversación",
    orderedHelp: "Si una entrega falla, retiene las siguientes de su conversación.",
    enabled: "Activado",
    enabledHelp: "Mientras está desactivado, las entregas esperan hasta 30 días.",
    numbers: "Solo estos números",
    numbersHelp: "Si no eliges ninguno, todos. Si eliges alguno, no llegan los eventos de contactos ni de endpoints.",
    accounts: "Solo estas cuentas",
    removedHeaders: "Encabezados que se quitan",
    headers: "Encabezados propios",
    headersHelp:
      "Uno por línea, como Authorization: Bearer …. Los valores se guardan cifrados y no se vuelven a mostrar.",
    timeout: "Tiempo para responder, en segundos",
    timeoutHelp: "De 5 a 30; 15 si no indicas nada.",
    rate: "Máximo de intentos por segundo",
    rateHelp: "De 1 a 1000; sin límite si no indicas nada.",
  },
};

export const endpoint: typeof en.endpoint = {
  enable: "Activar",
  enabling: "Activando",
  tabs: {
    label: "Partes del endpoint",
    deliveries: "Entregas",
    settings: "Configuración",
    replays: "Enviar de nuevo",
  },
  notFound: "Este endpoint no existe",
  notFoundHelp: "Es de otro espacio de trabajo, se eliminó o nunca existió.",
  reasons: {
    requested: "Desactivado a pedido; las entregas esperan hasta que se active.",
    gone: "Desactivado porque respondió 410. Actívalo cuando vuelva a recibir entregas.",
    failing: "Desactivado porque fallaron todos los intentos de 5 días. Actívalo cuando vuelva a recibir entregas.",
  },
  test: "Enviar un evento de prueba",
  testing: "Enviando",
  edit: "Editar",
  save: "Guardar",
  saving: "Guardando",
  yes: "Sí",
  no: "No",
  limits: "Limitado a",
  noRate: "Sin límite",
  rotate: "Rotar el secreto",
  rotateNow: "Crear un secreto nuevo",
  rotating: "Creando",
  rotateHelp: "Las entregas llevan una firma del secreto nuevo y otra del actual, hasta que el actual deja de valer.",
  overlap: "El actual deja de valer",
  overlaps: { none: "De inmediato", hour: "En una hora", day: "En un día", week: "En una semana" },
  older: "Secretos anteriores",
  noOlder: "Ninguno firma ya",
  olderEnds: (until, left) => `hasta ${until}, durante ${left} más`,
  rotated: "El secreto nuevo",
  rotatedHelp: (until) =>
    `Se muestra solo esta vez: guárdalo donde tu receptor lo lea. El anterior también firma hasta ${until}.`,
  remove: "Eliminar",
  removing: "Eliminando",
  removeAsk: (url) => `¿Eliminar ${url}?`,
  removeEffect: (waiting, isMore) =>
    waiting === null
      ? "Las entregas en espera se descartan."
      : waiting === 0
        ? "No hay entregas en espera. No recibirá más eventos."
        : isMore
          ? `Se descartan ${figure(waiting)} o más entregas en espera.`
          : plural(waiting, { one: "Se descarta # entrega en espera.", other: "Se descartan # entregas en espera." }),
};

export const deliveries: typeof en.deliveries = {
  title: "Entregas",
  all: "Todas las entregas",
  lead: "Lo que se envió a todos los endpoints, lo más reciente primero.",
  status: "Estado",
  kind: "Evento",
  tries: "Intentos",
  count: (attempts) => plural(attempts, { one: "# intento", other: "# intentos" }),
  next: "Próximo intento",
  time: "Hora",
  message: "Mensaje",
  contact: "Contacto",
  endpoint: "Endpoint",
  find: "Buscar por ID",
  none: "Ninguna entrega coincide con estos filtros",
  empty: "Aún no hay entregas",
  emptyHelp: "Cada evento que el endpoint escucha se convierte en una. Envía un evento de prueba para ver la primera.",
  ofMessage: "Todas las entregas de este mensaje",
  emptyOfAll: "Cada evento que un endpoint escucha se convierte en una.",
};

export const delivery: typeof en.delivery = {
  title: (kind) => `Entrega de «${kind}»`,
  notFound: "Esta entrega no existe",
  notFoundHelp: "Es de otro espacio de trabajo, ya no se conserva o nunca existió.",
  retry: "Reintentar ahora",
  retrying: "Reintentando",
  endpoint: "Endpoint",
  event: "ID del evento",
  message: "Mensaje",
  completed: "Terminada",
  next: "Próximo intento",
  attempts: "Intentos",
  noAttempts: "Aún no hay intentos.",
  attempt: (n) => `Intento ${figure(n)}`,
  code: (status) => `Código ${status}`,
  answer: "Qué respondió el receptor",
  noAnswer: "Nada, o nada que se pueda mostrar.",
  request: "Qué se envió",
  headers: "Encabezados",
  hidden: "(oculto)",
  body: "Cuerpo",
  noBody: "El evento ya no se conserva.",
  curl: "Copiar esta solicitud como curl",
  facts: "Datos",
  verify: "Cómo verificar una entrega",
  verifyHelp:
    "Acepta solo lo firmado con el secreto del endpoint en los últimos 5 minutos, sobre los bytes del cuerpo tal como llegaron.",
  languages: "Lenguajes",
};

export const replay: typeof en.replay = {
  title: "Enviar eventos de nuevo",
  lead: "Los eventos de un período primero se cuentan, y se envían cuando lo confirmas. Cada uno lleva el ID que tenía y el encabezado X-Service-Replay.",
  after: "Desde",
  afterHelp: "Los eventos se conservan 30 días.",
  before: "Hasta",
  beforeHelp: "Hasta ahora si no indicas nada.",
  which: "Cuáles",
  only: {
    failed: "Entregas que fallaron",
    missing: "Eventos que el endpoint nunca recibió",
    all: "Ambos, y también las entregas exitosas",
  },
  events: "Eventos",
  eventsHelp: "Si no eliges ninguno, todos los que el endpoint escucha.",
  count: "Contarlos",
  counting: "Contando",
  countingSoFar: (matched) => `Contando: ${figure(matched)} hasta ahora`,
  found: (matched) =>
    matched === 0
      ? "Ningún evento coincide"
      : plural(matched, { one: "Coincide # evento", other: "Coinciden # eventos" }),
  start: (matched) => (matched === 1 ? "Enviarlo de nuevo" : `Enviar ${figure(matched)} de nuevo`),
  starting: "Iniciando",
  progress: ({ matched, scheduled, succeeded, failed }) =>
    `Encontrados: ${figure(matched)}; programados: ${figure(scheduled)}; exitosos: ${figure(succeeded)}; fallidos: ${figure(failed)}`,
  since: "Iniciado",
  another: "Otro reenvío",
  notFound: "Este reenvío no existe",
};

export const events: typeof en.events = {
  title: "Eventos",
  lead: "Lo que ocurre en el espacio de trabajo, lo más reciente arriba; aquí se conservan los últimos 500.",
  columns: { kind: "Evento", about: "Sobre", time: "Hora" },
  pause: "Pausar",
  resume: "Continuar",
  pauseHelp: "Espacio",
  fresh: (count) => plural(count, { one: "# nuevo", other: "# nuevos" }),
  kinds: "Tipos",
  all: "Todos",
  find: "ID de un mensaje o contacto",
  filters: {
    message_id: "Mensaje",
    contact_id: "Contacto",
    since: "Desde",
    until: "Hasta",
    kind: "Evento",
    number: "Número",
  },
  empty: "Aún no ha ocurrido nada",
  emptyHelp: "Envía un mensaje, o responde uno desde un teléfono: aparece aquí al instante.",
  none: "Ningún evento coincide con estos filtros",
  noneHelp: "Lo que ocurra a partir de ahora aparece aquí al instante.",
  sinceLead:
    "Lo que ocurrió desde un momento, lo más antiguo primero. Quita el filtro de tiempo para ver lo que ocurre ahora.",
  sinceNone: "Entonces no ocurrió nada de este tipo, o ya no se conserva. Quita uno de los filtros.",
  later: "Mostrar posteriores",
  toMessage: "Ir al mensaje",
  body: "El evento tal como se envía",
};
