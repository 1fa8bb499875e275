import { join } from "node:path";
import { expect, test } from "vitest";
import { openRepository } from "../structure/repository.ts";

const repository = openRepository(join(import.meta.dirname, "../.."));
const page = repository.read("docs/article.md");
const rows = page.split("\n").filter((line) => /^\| (?!the article|-)/.test(line) && !line.startsWith("|---"));
const links = [...page.matchAll(/\[([^\]]+)\]\(\.\.\/([^)\s]+)\)/g)].map(([, text = "", file = ""]) => ({
  text,
  file,
}));
const tests = links.filter(({ file }) => file.endsWith(".test.ts"));

test("docs/article.md has statements to check", () => {
  expect(rows.length).toBeGreaterThan(40);
});

test.for(rows.map((row) => ({ row, statement: row.split("|")[1]?.trim() })))(
  "docs/article.md names a test for: $statement",
  ({ row }) => {
    expect(row).toMatch(/\.test\.ts\)/);
  },
);

test.for(tests)("the test that docs/article.md names is there: $text", ({ text, file }) => {
  expect(repository.read(file)).toContain(text);
});

test.for(links.filter(({ file }) => !file.endsWith(".test.ts")))(
  "what docs/article.md links is there: $file",
  ({ file }) => {
    expect(repository.read(file)).not.toBe("");
  },
);
