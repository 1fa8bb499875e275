import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { createMemoryPatchFiles } from "@unroll/apply-patch";
import { expect, test } from "vitest";
import { applyText } from "./apply-text.ts";

const root = join(import.meta.dirname, "../../../conformance/apply-patch");
const cases = readdirSync(root).filter((name) => /^\d/.test(name));

test.for(cases)("conformance case %s", async (name) => {
  const folder = join(root, name);
  const input = readTree(join(folder, "input"));
  const files = createMemoryPatchFiles(input);
  const result = await applyText(readFileSync(join(folder, "patch.txt"), "utf8"), files);
  const failed = existsSync(join(folder, "expected-error.txt"));
  const message = readFileSync(join(folder, failed ? "expected-error.txt" : "expected-output.txt"), "utf8");
  expect(`${result.message}\n`).toBe(message.replaceAll("{cwd}", "/project"));
  expect(files.texts()).toEqual(failed ? toTexts(input) : toTexts(readTree(join(folder, "expected"))));
});

function readTree(folder: string): Record<string, Uint8Array> {
  if (!existsSync(folder)) return {};
  const files = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [`/project/${relative(folder, path)}`, new Uint8Array(readFileSync(path))];
    }),
  );
}

function toTexts(tree: Record<string, Uint8Array>): Readonly<Record<string, string>> {
  return createMemoryPatchFiles(tree).texts();
}
