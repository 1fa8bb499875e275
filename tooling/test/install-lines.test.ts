import { join } from "node:path";
import { expect, test } from "vitest";
import { openRepository } from "../structure/repository.ts";

const repository = openRepository(join(import.meta.dirname, "../.."));
/** Not the decisions, which are never rewritten. */
const pages = repository.list(
  "*.md",
  "docs/*.md",
  ".github/**/*.md",
  "{packages,apps,bench,conformance,examples}/**/README.md",
);
const ours =
  /\b(?:npm|pnpm|yarn|bun) (?:install|i|add)\b[^\n`]*(?:@unroll\/|unroll-agent)|\bnpx (?:--?\S+ )*(?:@unroll\/|unroll)/;

test("each page with an install line of ours says that nothing is on npm yet, and how to install from a clone", () => {
  const found = pages.map((file) => ({ file, text: repository.read(file) })).filter(({ text }) => ours.test(text));
  expect(found.length).toBeGreaterThan(3);
  const isHonest = (text: string): boolean =>
    /\b(?:not|nothing is)\s+on\s+npm\s+yet/i.test(text) && /[`\n]npm run pack\b/.test(text);
  expect(found.filter(({ text }) => !isHonest(text)).map(({ file }) => file)).toEqual([]);
});
