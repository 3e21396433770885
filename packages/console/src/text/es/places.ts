import type * as en from "../en/places.ts";

export const places: typeof en.places = {
  none: "Nada coincide. Se entienden nombres de páginas, ID (msg_…, con_…, evt_… y los demás), wamid.…, los ID del proveedor y números de teléfono.",
  badId: "Se entienden ID (msg_…, con_…, evt_… y los demás), wamid.… y números de teléfono.",
  messagesOf: (value) => `Mensajes de ${value}`,
  contactWith: (value) => `Contacto con ${value}`,
  callsAbout: (id) => `Llamadas sobre ${id}`,
  callsWith: (id) => `Llamadas con ${id}`,
  kinds: {
    msg: "Mensaje",
    con: "Contacto",
    whe: "Endpoint de webhook",
    dlv: "Entrega",
    tpl: "Plantilla",
    num: "Número",
    acc: "Cuenta comercial",
    sgn: "Registro",
    evt: "Evento",
    imp: "Importación",
    seg: "Segmento",
    key: "Clave de API",
    aud: "Llamada",
    qrn: "Cuarentena",
    ws: "Espacio de trabajo",
  },
  of: (kind, id) => `${kind} ${id}`,
};
