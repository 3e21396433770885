import { fileURLToPath } from "node:url";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

// The gateway makes the addresses of the page absolute, by the path of PUBLIC_URL, and serves what the manifest names and `public` has.
export default defineConfig({
  base: "./",
  plugins: [react(), preloadFont()],
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
