import { join } from "node:path";
import { expect, test } from "vitest";
import { parseManifest } from "../structure/parse-tables.ts";
import { openRepository } from "../structure/repository.ts";

const repository = openRepository(join(import.meta.dirname, "../.."));
const guide = repository.read("AGENTS.md");

/** Files that commands write, and that are not committed. */
const written: readonly string[] = ["docs/api", "bench/results/results.json"];
/** Not the decisions, which tell what was and are never rewritten. */
const pages = repository.list(
  "*.md",
  "docs/{,invariants/}*.md",
  "{packages,apps,bench,simulation,conformance,examples}/**/README.md",
);

test("every path that AGENTS.md, a page or a README names exists, up to its first placeholder", () => {
  const found = pages.flatMap((page) =>
    [
      ...repository
        .read(page)
        .matchAll(/`((?:packages|apps|docs|tooling|conformance|bench|examples|simulation)\/[^`\s]*)`/g),
    ]
      .map(([, path = ""]) => path)
      .map((path) => (path.includes("<") ? path.slice(0, path.lastIndexOf("/", path.indexOf("<"))) : path))
      .map((path) => ({ page, path })),
  );
  expect(found.filter(({ page }) => page === "AGENTS.md").length).toBeGreaterThan(40);
  expect(found.filter(({ path }) => !repository.has(path) && !written.includes(path))).toEqual([]);
});

test("each row of where things go names at most three source files, and each of them is there or has an example", () => {
  const [, table = ""] = /\n\| to add \|.*\n\|[-|]+\|\n([\s\S]*?)\n\n/.exec(guide) ?? [];
  const rows = table.split("\n").map((row) => {
    const [, what = "", ...cells] = row.split("|").map((cell) => cell.trim());
    return { what, paths: listSources(cells.slice(0, 2).join(" ")) };
  });
  expect(rows.length).toBeGreaterThan(20);
  expect(rows.filter(({ what, paths }) => what !== "a package" && paths.length > 3)).toEqual([]);
  const toPattern = (path: string): string => path.replaceAll(/<[^>]+>/g, "*").replace(/\/$/, "/**/*");
  const isThere = (path: string): boolean => repository.list(toPattern(path)).length > 0;
  expect(rows.map(({ what, paths }) => ({ what, missing: paths.filter((path) => !isThere(path)) }))).toEqual(
    rows.map(({ what }) => ({ what, missing: [] })),
  );
});

/** Source files, and folders of them, that are named in code spans. */
function listSources(cells: string): readonly string[] {
  const paths = [...cells.matchAll(/`((?:packages|apps|tooling)\/[^`\s]+)`/g)].map(([, path = ""]) => path);
  return [...new Set(paths)].filter((path) => /\/src\/|\.json$/.test(path));
}

test("the pages tell how many conformance cases there are", () => {
  const countOf = (folder: string, ...patterns: readonly string[]): string =>
    repository
      .list(...patterns.map((pattern) => `conformance/${folder}/${pattern}`))
      .reduce((sum, file) => sum + parseCases(repository.read(file)).length, 0)
      .toLocaleString("en-US");
  const walls = countOf("sandbox", "cases.json");
  const commands = countOf("exec-policy", "*/{commands,everyday,hostile}.json");
  expect(repository.read("README.md")).toContain(` ${walls} conformance cases `);
  const laws = repository.read("docs/invariants/README.md");
  expect(laws).toContain(`\`conformance/sandbox/\` (${walls} cases,`);
  expect(laws).toContain(`\`conformance/exec-policy/\` (${commands} commands)`);
});

test("every script of package.json is in the guide", () => {
  const scripts = Object.keys(parseManifest(repository.read("package.json")).scripts ?? {});
  const named = (script: string): boolean => new RegExp(`\`(npm|npm run|pnpm) ${script}[\` ]`).test(guide);
  expect(scripts.filter((script) => !named(script))).toEqual([]);
});

function parseCases(text: string): readonly unknown[] {
  return JSON.parse(text) as readonly unknown[];
}
