import type * as en from "../en/versions.ts";

export const versions: typeof en.versions = {
  label: "Ambas versiones",
  changed: "Otra persona o programa lo cambió mientras tanto. Lo que ingresaste sigue aquí.",
  reading: "Leyendo la versión actual",
  field: "Campo",
  theirs: "La otra, ahora",
  mine: "La tuya",
  untouched: "No lo cambiaste: queda la otra versión",
  same: "Ningún campo de aquí difiere de la versión actual.",
  nothing: "–",
  yes: "Sí",
  no: "No",
  take: "Usar la otra",
  keep: "Conservar la mía y guardar",
};
