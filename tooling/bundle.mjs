// Bundles the CLI into split ESM chunks: only what a command needs is read, parsed and compiled.
// usage (from apps/cli): node ../../tooling/bundle.mjs src/main.ts unroll
import { cp, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [entry, name] = process.argv.slice(2);

/** Our messages are English; the other fifty languages would be three fifths of what a start reads of zod. */
const englishZod = {
  name: "english-zod",
  setup: (bundle) =>
    bundle.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.c?js$/ }, ({ path }) => ({
      contents: 'export { default as en } from "./en.js";',
      resolveDir: dirname(path),
    })),
};

await rm("dist/bundle", { recursive: true, force: true });
await build({
  entryPoints: { [name]: entry },
  outdir: "dist/bundle",
  outExtension: { ".js": ".mjs" },
  chunkNames: "[name]-[hash]",
  bundle: true,
  splitting: true,
  minify: true,
  keepNames: true,
  sourcemap: "external",
  sourcesContent: false,
  platform: "node",
  format: "esm",
  target: "node24",
  conditions: ["@unroll/source"],
  plugins: [englishZod],
  external: ["node-pty", "sharp", "@napi-rs/keyring"], // native: they stay dependencies of the app
  legalComments: "none",
  logLevel: "warning",
  // CommonJS dependencies call require() for Node's own modules, and look at their file name
  banner: {
    js: 'import{createRequire as __cr}from"node:module";const require=__cr(import.meta.url),__filename=import.meta.filename;',
  },
});
// Assets that sources find beside themselves, as `../instructions/` and `../sample-project/`.
await cp(join(root, "packages/prompt/instructions"), "dist/instructions", { recursive: true });
await cp(join(root, "examples/sample-project"), "dist/sample-project", { recursive: true });
