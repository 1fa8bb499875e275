// The reference of all packages, of their docstrings, as pages under docs/api (ignored by git). TypeDoc reads the API of an older
// TypeScript than builds this repository, so both are installed beside it for the time being. What has to have a docstring is
// checked by `pnpm structure`. usage: pnpm docs:api [folder]
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { installProject } from "./projects.mjs";
import { run } from "./run.ts";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const out = resolve(process.argv[2] ?? join(root, "docs/api"));
const folder = mkdtempSync(join(tmpdir(), "unroll-api-"));
try {
  await installProject({
    folder,
    manager: "npm",
    registry: "http://127.0.0.1:9/",
    dependencies: { typedoc: "0.28.20", typescript: "5.9" },
  });
  await run("npx", ["typedoc", "--options", join(root, "tooling/release/typedoc.json"), "--out", out], { cwd: folder });
  process.stdout.write(`wrote ${out}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
