import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { openRepository } from "../structure/repository.ts";
import { countSentences, listAnchors, listCells, listLinks } from "./parse-page.ts";

const repository = openRepository(join(import.meta.dirname, "../.."));
const pages = repository
  .list(
    "*.md",
    ".github/**/*.md",
    "docs/{,*/}*.md",
    "{packages,apps}/*/README.md",
    "{bench,conformance,examples,integrations,simulation}/**/README.md",
  )
  .filter((file) => !file.startsWith("docs/api/"));

/** In words: two sentences that can be read in one breath. */
const longestCell = 45;

test("every relative link of a page leads to a file, and to a heading that the file has", () => {
  const broken = pages.flatMap((page) =>
    listLinks(repository.read(page))
      .filter(({ path, anchor }) => {
        const file = path === "" ? page : join(dirname(page), path);
        if (!repository.has(file)) return true;
        return anchor !== null && file.endsWith(".md") && !listAnchors(repository.read(file)).has(anchor);
      })
      .map(({ line, path, anchor }) => `${page}:${line}: ${path}${anchor === null ? "" : `#${anchor}`}`),
  );
  expect(broken).toEqual([]);
});

test("no table cell is longer than two sentences", () => {
  const long = pages
    // decisions are kept as they were written
    .filter((page) => !page.startsWith("docs/decisions/"))
    .flatMap((page) =>
      listCells(repository.read(page))
        .filter(({ text }) => countSentences(text) > 2 || text.split(/\s+/).length > longestCell)
        .map(({ line, text }) => `${page}:${line}: ${text}`),
    );
  expect(long).toEqual([]);
});

test("links, anchors, cells and sentences of a page are found", () => {
  const page = [
    "# The `a_b` page: [x](y.md)",
    "## Twice",
    "## Twice",
    "See [one](one.md#twice-1), [web](https://example.com), `[code](no.md)` and [here](#twice).",
    "| head | b |",
    "|---|---|",
    "| One `a. b.` sentence, v1.2. Two, e.g. this. Three. | a \\| b |",
    "```",
    "[no](link.md) | # no heading",
    "```",
  ].join("\n");
  expect(listLinks(page)).toEqual([
    { line: 1, path: "y.md", anchor: null },
    { line: 4, path: "one.md", anchor: "twice-1" },
    { line: 4, path: "", anchor: "twice" },
  ]);
  expect([...listAnchors(page)]).toEqual(["the-a_b-page-x", "twice", "twice-1"]);
  expect(listCells(page).map(({ text }) => text)).toContain("a   b");
  expect(listCells(page).map(({ text }) => countSentences(text))).toEqual([1, 1, 0, 0, 3, 1]);
});
