import { join } from "node:path";
import { expect, test } from "vitest";
import { listImports, parseManifest } from "../structure/parse-tables.ts";
import { openRepository } from "../structure/repository.ts";

const repository = openRepository(join(import.meta.dirname, "../.."));
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

function toFolder([, folder = ""]: RegExpMatchArray): string {
  return folder;
}
