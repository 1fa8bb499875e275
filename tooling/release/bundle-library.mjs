// Makes the published form of a library: its compiled files in one for each entry and one for each part that is
// imported on first use, because each file adds about a millisecond to a program's start: of the 891 files of a first
// thread 119 are left (docs/decisions/0018). Other packages stay where they are, and a class is there once. Each
// library calls it before it is packed, as its `prepack`.
// usage (from a package that is built): node ../../tooling/release/bundle-library.mjs
import { readFileSync, rmSync } from "node:fs";
import { build } from "esbuild";

const { exports } = JSON.parse(readFileSync("package.json", "utf8"));
rmSync("dist/lib", { recursive: true, force: true });
await build({
  entryPoints: Object.values(exports).flatMap((entry) => entry.default ?? []),
  outbase: "dist",
  outdir: "dist/lib",
  bundle: true,
  splitting: true,
  packages: "external",
  format: "esm",
  platform: "node",
  target: "node24",
  chunkNames: "part/[name]-[hash]",
  logLevel: "warning",
});
