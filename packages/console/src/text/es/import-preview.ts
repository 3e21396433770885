import type * as en from "../en/import-preview.ts";
import { figure, plural } from "./forms.ts";

export const importPreview: typeof en.importPreview = {
  noText: "El archivo no está en UTF-8. En Excel, guárdalo como «CSV UTF-8».",
  unreadable: "El navegador no puede leer el archivo. Vuelve a elegirlo.",
  rows: "Primeras filas",
  rowsHelp: "Al leer el archivo se comprueba si cada número existe en su país.",
  line: "Línea",
  fault: "Se rechaza porque",
  ofColumn: (column, reason) => `${column}: ${reason}`,
  summary: "Qué hace la importación",
  facts: {
    seen: "Filas vistas",
    faulty: "De ellas, rechazadas",
    taken: "Columnas que se toman",
    left: "Columnas que se omiten",
    consent: "Marketing",
  },
  seen: (rows, isAll) =>
    isAll
      ? plural(rows, { one: "#, la única", other: "#, que son todas" })
      : `Las primeras ${figure(rows)}; las demás se comprueban al leerlas`,
  faulty: (rows) =>
    rows === 0
      ? "Ninguna"
      : `${plural(rows, { one: "# fila, que aparece", other: "# filas, que aparecen" })} después en una lista; las demás se toman`,
  column: (name, field) => `${name} como ${field}`,
  noColumn: "Ninguna",
  consent:
    "Una celda con contenido es lo que la persona dice ahora: reemplaza lo que se sabe, también un STOP anterior.",
  noConsent: "Ninguna columna lo dice: lo que se sabe no cambia, y un contacto nuevo queda sin respuesta.",
  noPhone: "El archivo se rechaza: ninguna columna es el número de teléfono ni el ID de un contacto.",
  twice: (one, other) => `El archivo se rechaza: ${one} y ${other} son el mismo campo. Ignora una de las dos.`,
  faults: {
    plain: {
      missing: "falta",
      noPlus: "no empieza con + y un código de país",
      zeros: "empieza con 00 en lugar de +",
      twoPlus: "tiene más de un +",
      zero: "ningún código de país empieza con 0",
      long: "es demasiado largo para un número",
      id: "no es el ID de un contacto",
      twice: "está dos veces, con dos valores",
      cells: "la fila no tiene tantas celdas como columnas hay",
      number: "no es un número",
      boolean: "no es true ni false",
      json: 'no es un objeto JSON como {"city":"Recife"}',
    },
    sign: (sign) => `tiene ${sign}, que ningún número tiene`,
    digits: (digits) => `tiene ${plural(digits, { one: "# dígito", other: "# dígitos" })}, y un número tiene de 8 a 15`,
    name: (most) => `debe ser una línea de ${figure(most)} caracteres como máximo`,
    email: (most) => `debe ser un correo electrónico de ${figure(most)} caracteres como máximo`,
    locale: "debe ser un idioma como pt_BR",
    tags: (most, characters) => `${figure(most)} etiquetas como máximo, de hasta ${figure(characters)} caracteres`,
    consent: "debe ser opted_in, opted_out o unknown",
    attributes: (most, characters) =>
      `${figure(most)} datos como máximo, cada uno un texto de hasta ${figure(characters)} caracteres, un número, o true o false`,
  },
};
