import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempDisposableSync, readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { env, execPath } from "node:process";
import { expect, test } from "vitest";

const tooling = join(import.meta.dirname, "..");
const vitest = join(tooling, "../node_modules/vitest/vitest.mjs");

/** The end of a run of two test files, of which one runs `script`. */
function runTests(script: string) {
  using base = mkdtempDisposableSync(join(tmpdir(), "unroll-runs-"));
  const [root, temporary] = [join(base.path, "root"), join(base.path, "tmp")];
  for (const folder of [root, temporary]) mkdirSync(folder);
  const files = {
    "setup.mjs": `import { giveTemporaryFolder } from "${tooling}/temporary-folder.ts";
export const setup = (project) => giveTemporaryFolder(project, 0);`,
    "vitest.config.mjs": `export default { test: {
  globals: true, isolate: false, maxWorkers: 1, include: ["*.test.mjs"], globalSetup: "./setup.mjs", setupFiles: "${tooling}/use-temporary-folder.ts",
} };`,
    "clean.test.mjs": 'test("is clean", () => {});',
    "other.test.mjs": `import { mkdirSync, rmdirSync } from "node:fs"; test("is not", () => { ${script} });`,
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, name), text);
  const variables = { ...env, TMPDIR: temporary, NO_COLOR: "1" };
  const { status, stderr } = spawnSync(execPath, [vitest, "run"], { cwd: root, env: variables, encoding: "utf8" });
  const [, named = ""] = /temporary folder:\n(- .*)/.exec(stderr) ?? [];
  return { status, named, left: readdirSync(temporary) };
}

test("a run fails that leaves something in the temporary folder, and names it with its test file", () => {
  const make = 'mkdirSync(process.env.TMPDIR + "/.codex");';
  expect(runTests(`${make} rmdirSync(process.env.TMPDIR + "/.codex");`)).toEqual({ status: 0, named: "", left: [] });
  const named = "- .codex: first seen after other.test.mjs";
  expect(runTests(make)).toEqual({ status: 1, named, left: [] });
});
