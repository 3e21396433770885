import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";
import { LANGUAGES } from "./src/text/languages.ts";

// The gateway makes the addresses of the page absolute, by the path of PUBLIC_URL, and serves what the manifest names and `public` has.
export default defineConfig({
  base: "./",
  plugins: [react(), preloadFont(), nameTexts()],
  resolve: {
    // Its sources: built with the console, so that neither waits for the other.
    alias: { "@waypost/sdk": fileURLToPath(new URL("../sdk/src/index.ts", import.meta.url)) },
  },
  build: {
    target: "es2022",
    // With older ones `light-dark()` would be rewritten.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // The policy allows no `data:` but in images.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    emptyOutDir: true,
    reportCompressedSize: false,
    rolldownOptions: {
      // The start waits for its texts, and is cut into some forty files for it unless it is said to be one.
      output: { codeSplitting: { groups: [{ name: "start", tags: ["$initial"] }] } },
    },
  },
});

/** The text needs its font at the first paint, and the browser would find it last: in the stylesheet. */
function preloadFont(): Plugin {
  return {
    name: "preload-font",
    transformIndexHtml: {
      order: "post",
      handler(_html, { bundle }) {
        const font = Object.keys(bundle ?? {}).find((name) => name.endsWith(".woff2"));
        if (font === undefined) return [];
        const attrs = { rel: "preload", as: "font", type: "font/woff2", crossorigin: "", href: `./${font}` };
        return [{ tag: "link", attrs, injectTo: "head" }];
      },
    },
  };
}

/** Names the files of each language in the page, ahead of the script that chooses one (`console/before-paint.js`) and has it loaded. */
function nameTexts(): Plugin {
  const BEFORE = '<script src="./console/before-paint.js">';
  return {
    name: "name-texts",
    transformIndexHtml: {
      order: "post",
      handler(html, { bundle }) {
        const chunks = Object.values(bundle ?? {}).filter((one) => one.type === "chunk");
        const links = Object.entries(LANGUAGES).flatMap(([tag, { direction }]) => {
          const texts = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/src/text/${tag}.ts`));
          return [texts?.fileName ?? [], texts?.imports ?? []]
            .flat()
            .map((file) => `<link rel="text" hreflang="${tag}" dir="${direction}" href="./${file}">\n    `);
        });
        if (!html.includes(BEFORE)) throw new Error("the page does not have the script that chooses a language");
        return html.replace(BEFORE, links.join("") + BEFORE);
      },
    },
  };
}
