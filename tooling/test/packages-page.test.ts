import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";
import { listImports, parseManifest } from "../structure/parse-tables.ts";
import { openRepository } from "../structure/repository.ts";

const root = join(import.meta.dirname, "../..");
const repository = openRepository(root);
const page = repository.read("docs/packages.md");
/** The folders of each table, in the order of the page. */
const tables = page
  .split(/^### /m)
  .map((part) => [...part.matchAll(/^\| \[`[^`]+`\]\(\.\.\/([^)]+)\)/gm)].map(toFolder));
const manifests = new Map(
  tables.flat().map((folder) => [folder, parseManifest(repository.read(`${folder}/package.json`))]),
);
const folderOf = new Map([...manifests].map(([folder, { name }]) => [name, folder]));

test("in docs/packages.md each package imports only from its own table and from tables above it", () => {
  const tableOf = (folder: string): number => tables.findIndex((folders) => folders.includes(folder));
  const upward = [...manifests].flatMap(([folder, manifest]) =>
    listImports(manifest)
      .map((name) => folderOf.get(`@unroll/${name}`))
      .filter((other) => other !== undefined && tableOf(other) > tableOf(folder))
      .map((other) => `${folder} imports ${other}`),
  );
  expect(manifests.size).toBeGreaterThan(30);
  expect(upward).toEqual([]);
});

test("docs/packages.md names no package that does not exist, and recommends only those that a release has", () => {
  const named = [...page.matchAll(/`(@unroll\/[\w-]+)`/g)].map(([, name = ""]) => name);
  const isReleased = (name: string): boolean => {
    const folder = folderOf.get(name);
    return folder !== undefined && manifests.get(folder)?.private !== true;
  };
  expect(named.length).toBeGreaterThan(12);
  expect(named.filter((name) => !isReleased(name))).toEqual([]);
});

test("the example of docs/packages.md prints the output that the page shows", () => {
  const [, code = "", output = ""] = /^```js\n([\s\S]*?)^```\n\n```\n([\s\S]*?)^```$/m.exec(page) ?? [];
  const args = ["--conditions=@unroll/source", "--input-type=module", "--eval", code];
  const { stdout, stderr } = spawnSync(process.execPath, args, {
    cwd: join(root, "packages/apply-patch"),
    encoding: "utf8",
  });
  expect({ stdout, stderr }).toEqual({ stdout: output, stderr: "" });
  expect(output).toContain("Success.");
});

function toFolder([, folder = ""]: RegExpMatchArray): string {
  return folder;
}
