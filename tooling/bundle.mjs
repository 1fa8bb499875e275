// Bundles one app into split ESM chunks: only what a command needs is read, parsed and compiled.
// usage (from the app's folder): node ../../tooling/bundle.mjs src/main.ts unroll
import { rm } from "node:fs/promises";
import { build } from "esbuild";

const [entry, name] = process.argv.slice(2);
await rm("dist/bundle", { recursive: true, force: true });
const result = await build({
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
  external: ["node-pty"], // native: stays a dependency of the app
  legalComments: "none",
  metafile: true,
  logLevel: "warning",
  // CommonJS dependencies call require() for Node's own modules
  banner: { js: 'import{createRequire as __cr}from"node:module";const require=__cr(import.meta.url);' },
});
const bytes = Object.entries(result.metafile.outputs)
  .filter(([file]) => file.endsWith(".mjs"))
  .reduce((sum, [, o]) => sum + o.bytes, 0);
process.stdout.write(
  `${name}: ${Object.keys(result.metafile.outputs).length / 2} chunks, ${(bytes / 1024).toFixed(0)} KiB\n`,
);
