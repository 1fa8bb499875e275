// Whether each README example has the types that it says: all of them in one run of tsc, each beside the package that it is of, so
// that it imports what it would import there. usage: node tooling/check-readme-types.mjs   (after `tsc -b`; `pnpm typecheck` does both)
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { listReadmeExamples } from "./release/readme-examples.ts";

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** Ignored by git, and so by all that looks for sources; of this process, as another run may be under way. */
const folderName = `.readme-examples-${process.pid}`;
const examples = listReadmeExamples(root);
const folders = [...new Set([root, ...examples.map(({ folder }) => folder)])].map((folder) => join(folder, folderName));
const { references } = JSON.parse(readFileSync(join(root, "tsconfig.tests.json"), "utf8")); // what is built is not checked again
const config = {
  extends: join(root, "tsconfig.tests.json"),
  compilerOptions: { incremental: false, tsBuildInfoFile: null, lib: ["ES2024", "ESNext.Array"] }, // what a Node.js 24 has
  files: examples.map(({ folder }, index) => join(folder, folderName, `${index}.ts`)),
  include: [],
  references: references.map(({ path }) => ({ path: join(root, path) })),
};

let status;
try {
  for (const folder of folders) mkdirSync(folder, { recursive: true });
  for (const [index, { code }] of examples.entries()) writeFileSync(config.files[index], code);
  const project = join(root, folderName, "tsconfig.json");
  writeFileSync(project, JSON.stringify(config));
  const run = spawnSync("tsc", ["-p", project, "--pretty", "false"], { cwd: root, encoding: "utf8" });
  if (run.error) throw run.error;
  ({ status } = run);
  const names = new Map(config.files.map((file, index) => [relative(root, file), examples[index].name]));
  for (const line of run.stdout.split("\n")) {
    const [, file = "", rest = ""] = /^(.+?\.ts)(\(.*)$/.exec(line) ?? [];
    if (line !== "") process.stdout.write(`${names.has(file) ? names.get(file) + rest : line}\n`);
  }
} finally {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
process.exit(status ?? 1);
