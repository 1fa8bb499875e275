import fc from "fast-check";
import { expect, test } from "vitest";
import { loadLibraries } from "@unroll/cells";
import { isPlainProse } from "../src/markdown/render-source.ts";
import { parseMarkdown } from "../src/markdown/parse-markdown.ts";
import { renderBlocks, renderLiteral } from "../src/markdown/render-markdown.ts";

const numRuns = Number(process.env["UNROLL_PROPERTY_RUNS"] ?? 300);

const pieces = [
  "word",
  "Wort",
  "\u65e5\u672c",
  "a",
  " ",
  "  ",
  "\n",
  ". ",
  ", ",
  ": ",
  "1. ",
  "- ",
  "=",
  "#",
  "+ ",
  "(x)",
  '"q"',
  "!",
  "$5",
  "\u2014",
  "\t",
];
const marks = [
  "*",
  "_",
  "~",
  "`",
  "[a]",
  "<b>",
  "&amp;",
  "\\",
  "a@b.org",
  "|",
  "http://a.b",
  "www.a.org",
  "ftp://c.d",
  "{x}",
];
const text = fc
  .array(
    fc.oneof(
      { weight: 12, arbitrary: fc.constantFrom(...pieces) },
      { weight: 1, arbitrary: fc.constantFrom(...marks) },
    ),
    {
      minLength: 1,
      maxLength: 14,
    },
  )
  .map((all) => `W${all.join("")}`);

test("what is taken for plain prose is what Markdown makes of it", async () => {
  const libraries = await loadLibraries();
  const { lexer } = libraries;
  let plain = 0;
  fc.assert(
    fc.property(text, (source) => {
      if (!isPlainProse(source)) return;
      plain += 1;
      const blocks = parseMarkdown(source, lexer);
      expect(renderBlocks(blocks, { ...libraries, columns: 79 })).toEqual(renderLiteral(source));
    }),
    { numRuns },
  );
  expect(plain).toBeGreaterThan(numRuns / 10);
});

test.each([
  "See www.example.org",
  "It is *so*",
  "Two\n===",
  "One\n\nTwo",
  "a &lt; b",
  "ends in a break  \nhere",
  "- item",
  "5 apples",
])("%j is read as Markdown", (source) => expect(isPlainProse(source)).toBe(false));
