// What of a library is published: its compiled files in one for each entry and for what is imported on first use, since a file costs
// whoever starts a program about a millisecond: of the 891 files of a first thread 119 are left (docs/decisions/0018). Other
// packages stay where they are, and a class is there once. Each library calls it before it is packed, as its `prepack`.
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
