// The layers: imports go downward only. See ARCHITECTURE.md for the picture and STYLE.md for the reasons.
const server = "^packages/server/src";
const layer = (folder) => `${server}/${folder}/`;

/**
 * The floors of the features, from the ground: a feature may import those before it, and stands as low as that lets it. What a lower one
 * needs of a higher one is moved down (a room where both need it), given by the process (services.ts: `AccountParts`) or declared (feature.ts).
 */
const FLOORS = [
  "keys",
  "tasks",
  "audit",
  "events",
  "threads",
  "identity",
  "limits",
  "usage",
  "metrics",
  "accounts",
  "media",
  "templates",
  "webhooks",
  "contacts",
  "messages",
  "calls",
  "ingress",
  "conversations",
  "workspaces",
  "sessions",
  "retention",
  "system",
  "front",
];
/** Rooms of features that their neighbours may enter as they enter a feature: stores stay private, and so do folders below. */
const OPEN_ROOMS = ["accounts/numbers", "identity/consent", "messages/callbacks"];
const notTests = ["/testing/", "\\.test\\.ts$"];

const floors = [
  ...FLOORS.map((feature, floor) => ({
    name: `${feature}-stands-below`,
    comment: `${feature} is on a lower floor than what it imports here. Move what it needs down, let the process give it (services.ts), or declare it (feature.ts); the floors are in .dependency-cruiser.cjs.`,
    severity: "error",
    from: { path: layer(`features/${feature}`), pathNot: notTests },
    to: { path: layer(`features/(${FLOORS.slice(floor + 1).join("|") || "none"})`) },
  })),
  {
    name: "every-feature-has-a-floor",
    comment: "Put the new feature into FLOORS in .dependency-cruiser.cjs, above the features that it imports.",
    severity: "error",
    from: { path: server, pathNot: notTests },
    to: { path: `${server}/features/(?!(${FLOORS.join("|")})/)[^/]+/` },
  },
];

const simulator = "^packages/simulator/src";
/** In the console: what a phone shows of a message, and how it looks. */
const PHONE =
  "src/parts/phone/(bubble|bubble-shape|inline|template-bubble)\\.ts$|src/parts/phone/phone\\.module\\.css$";

/** The rooms of the simulator, from the ground, as its README draws them: a room may import those before it. */
const SIMULATOR_ROOMS = [
  "lib",
  "protocol",
  "world",
  "callbacks",
  "simulation",
  "accounts",
  "people",
  "templates",
  "sending",
  "reports",
  "graph",
  "control",
  "pages",
];
const simulatorRooms = [
  ...SIMULATOR_ROOMS.map((room, floor) => ({
    name: `simulator-${room}-stands-below`,
    comment: `${room} is below what it imports here. Move what it needs down; the order of the rooms is in .dependency-cruiser.cjs.`,
    severity: "error",
    from: { path: `${simulator}/${room}/`, pathNot: notTests },
    to: { path: `${simulator}/((${SIMULATOR_ROOMS.slice(floor + 1).join("|") || "none"})/|[^/]+\\.ts$)` },
  })),
  {
    name: "every-room-of-the-simulator-has-a-floor",
    comment: "Put the new folder into SIMULATOR_ROOMS in .dependency-cruiser.cjs, above the rooms that it imports.",
    severity: "error",
    from: { path: simulator, pathNot: notTests },
    to: { path: `${simulator}/(?!(${SIMULATOR_ROOMS.join("|")})/)[^/]+/` },
  },
];

module.exports = {
  forbidden: [
    ...floors,
    ...simulatorRooms,
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    {
      name: "neighbours-see-the-front-of-a-feature",
      comment:
        "What other features may import lies in the feature's own folder, or in a room of OPEN_ROOMS, not in its other subfolders: nouns, wire shapes and SQL steps. Stores, routes and declarations are private.",
      severity: "error",
      from: { path: `${server}/features/([^/]+)/`, pathNot: ["/testing/", "\\.test\\.ts$"] },
      to: {
        path: [`${server}/features/[^/]+/[^/]+/`, `${server}/features/[^/]+/(.*store|routes|feature)\\.ts$`],
        pathNot: `${server}/features/($1/|(${OPEN_ROOMS.join("|")})/(?!(.*store|routes|feature)\\.ts$)[^/]+$)`,
      },
    },
    {
      name: "services-only-in-declarations",
      comment: "Verbs and classes are given what they need; only feature.ts takes it from the process's services.",
      severity: "error",
      from: { path: layer("features"), pathNot: ["/feature\\.ts$", "/testing/", "\\.test\\.ts$"] },
      to: { path: [`${server}/process/services\\.ts$`, `${server}/feature\\.ts$`] },
    },
    {
      name: "features-see-the-front-of-http",
      comment:
        "What features may import of HTTP lies in http/ itself: routes, problems, ids, pages, times, headers, the caller.",
      severity: "error",
      from: { path: layer("features"), pathNot: ["/testing/", "\\.test\\.ts$"] },
      to: { path: layer("http/(request|openapi|pages|testing)") },
    },
    {
      name: "http-knows-no-feature",
      severity: "error",
      from: { path: layer("http") },
      to: { path: [layer("features"), `${server}/(process/(?!config/|version)|features\\.ts$)`] },
    },
    {
      name: "lanes-know-no-feature",
      severity: "error",
      from: { path: layer("lanes") },
      to: {
        path: [
          layer("features"),
          layer("http"),
          layer("provider"),
          `${server}/(process/(?!config/)|(features|ctx)\\.ts$)`,
        ],
      },
    },
    {
      name: "provider-knows-no-feature",
      severity: "error",
      from: { path: layer("provider") },
      to: {
        path: [
          layer("features"),
          layer("http"),
          layer("lanes"),
          layer("db"),
          `${server}/(process/(?!config/)|(features|ctx)\\.ts$)`,
        ],
      },
    },
    {
      name: "db-is-low",
      severity: "error",
      from: { path: layer("db") },
      to: {
        path: [
          layer("features"),
          layer("http"),
          layer("lanes"),
          layer("provider"),
          `${server}/(process/(?!config/)|(features|ctx)\\.ts$)`,
        ],
      },
    },
    {
      name: "files-are-low",
      severity: "error",
      from: { path: layer("files") },
      to: {
        path: [
          layer("features"),
          layer("http"),
          layer("lanes"),
          layer("provider"),
          layer("db"),
          `${server}/(process/(?!config/)|(features|ctx)\\.ts$)`,
        ],
      },
    },
    {
      name: "lib-is-lowest",
      severity: "error",
      from: { path: layer("lib") },
      to: {
        path: `${server}/(features|http|lanes|provider|db|files|process)/|${server}/(features|ctx)\\.ts$`,
      },
    },
    {
      name: "features-know-no-list",
      severity: "error",
      from: { path: layer("features") },
      to: { path: `${server}/(process/(?!config/|services\\.ts$)|features\\.ts$)` },
    },
    {
      name: "ctx-knows-no-feature",
      severity: "error",
      from: { path: `${server}/ctx\\.ts$` },
      to: { path: [layer("features"), layer("http"), `${server}/(process/(?!config/|version)|features\\.ts$)`] },
    },
    {
      name: "config-is-low",
      severity: "error",
      from: { path: layer("process/config") },
      to: { path: `${server}/(features|http|lanes|provider|db)/|${server}/(process/(?!config/)|(features|ctx)\\.ts$)` },
    },
    {
      name: "fastify-only-in-http",
      severity: "error",
      from: { path: server, pathNot: [layer("http"), layer("testing")] },
      to: { path: "node_modules/(fastify|@fastify|@scalar)" },
    },
    {
      name: "driver-only-in-db",
      severity: "error",
      from: { path: server, pathNot: [layer("db"), layer("testing")] },
      to: { path: "node_modules/(pg|node-pg-migrate)/" },
    },
    {
      name: "prometheus-only-in-metrics",
      severity: "error",
      from: { path: server, pathNot: `${server}/lib/metrics\\.ts$` },
      to: { path: "node_modules/prom-client" },
    },
    {
      name: "whatsapp-only-from-runtime",
      severity: "error",
      from: {
        path: server,
        pathNot: [layer("provider/whatsapp"), "/testing/", `${server}/process/runtime\\.ts$`, "\\.test\\.ts$"],
      },
      to: { path: layer("provider/whatsapp") },
    },
    {
      name: "environment-only-in-config",
      severity: "error",
      from: { path: server, pathNot: [`${server}/process/config/config\\.ts$`, layer("testing")] },
      to: { path: "^(node:)?process$" },
    },
    {
      name: "simulator-stands-alone",
      comment: "The simulator imitates the provider from its public documentation and shares no code with the server.",
      severity: "error",
      from: { path: "^packages/simulator/(?!web/)" },
      to: { path: "^packages/(server|sdk|cli|console|simulator/web)/" },
    },
    {
      name: "simulator-pages-draw-as-the-console",
      comment:
        "The simulator's pages for browsers call its control API. They share the drawing of messages and the colours with the console, nothing else.",
      severity: "error",
      from: { path: "^packages/simulator/web/" },
      to: {
        path: `^packages/(server|sdk|cli|simulator/src)/|^packages/console/(?!(?:${PHONE})|src/styles/tokens\\.css)`,
      },
    },
    {
      name: "messages-are-drawn-without-react",
      comment:
        "What a phone shows of a message is plain values: React draws them in the console, and the virtual phone without it.",
      severity: "error",
      from: { path: `^packages/console/(?:${PHONE})`, pathNot: "\\.css$" },
      to: { pathNot: `^packages/console/(?:${PHONE})` },
    },
    {
      name: "sdk-has-no-dependencies",
      severity: "error",
      from: { path: "^packages/sdk/src", pathNot: "\\.test\\.ts$" },
      to: { path: "node_modules|^packages/(server|simulator|cli|console)/" },
    },
    {
      name: "server-never-imports-simulator",
      severity: "error",
      from: { path: server, pathNot: ["/testing/", "\\.test\\.ts$"] },
      to: { path: "^packages/(simulator|sdk|cli|console)/|node_modules/@waypost|^@waypost/" },
    },
    {
      name: "tests-stay-tests",
      severity: "error",
      from: { path: server, pathNot: ["/testing/", "\\.test\\.ts$"] },
      to: { path: ["/testing/", "\\.test\\.ts$"] },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)dist/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["types", "import", "node", "default"],
      extensions: [".ts", ".js", ".mjs", ".cjs", ".json"],
    },
  },
};
