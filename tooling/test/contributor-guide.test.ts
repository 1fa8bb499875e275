import { join } from "node:path";
import { expect, test } from "vitest";
import { parseManifest } from "../structure/parse-tables.ts";
import { openRepository } from "../structure/repository.ts";

const repository = openRepository(join(import.meta.dirname, "../.."));
const guide = repository.read("AGENTS.md");

test("every path that AGENTS.md names exists, up to its first placeholder", () => {
  const paths = [...guide.matchAll(/`((?:packages|apps|docs|tooling|conformance|bench|examples)\/[^`\s]*)`/g)]
    .map(([, path = ""]) => path)
    .map((path) => (path.includes("<") ? path.slice(0, path.lastIndexOf("/", path.indexOf("<"))) : path));
  expect(paths.length).toBeGreaterThan(40);
  expect(paths.filter((path) => !repository.has(path))).toEqual([]);
});

test("every script of package.json is in the guide", () => {
  const scripts = Object.keys(parseManifest(repository.read("package.json")).scripts ?? {});
  const named = (script: string): boolean => new RegExp(`\`(npm|npm run|pnpm) ${script}[\` ]`).test(guide);
  expect(scripts.filter((script) => !named(script))).toEqual([]);
});
