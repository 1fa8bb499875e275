import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
// @ts-expect-error a script without types
import { listNames, renderRows, renderSentence } from "../../conformance/rows.mjs";

interface Row {
  readonly frontEnd: string;
  readonly cases: number;
  readonly same: number;
  readonly named: readonly unknown[];
  readonly broken: readonly string[];
}

const root = join(import.meta.dirname, "../..");
const table: { readonly reference: string; readonly rows: readonly Row[] } = JSON.parse(
  readFileSync(join(root, "conformance/table.json"), "utf8"),
);
const pages = {
  "app-server": "docs/app-server.md",
  exec: "docs/exec.md",
  acp: "docs/acp.md",
  "mcp-server": "docs/mcp-server.md",
};

test.for(Object.entries(pages))(
  "the clients of %s and what differs for them are as the last run of conformance counted (-u writes them)",
  async ([frontEnd, name]) => {
    const file = join(root, name);
    const part = `${renderSentence(table, frontEnd)}\n\n${renderRows(table, frontEnd)}`;
    await expect(fill(readFileSync(file, "utf8"), part)).toMatchFileSnapshot(file);
  },
);

test("conformance/README.md has the table of the last run (-u writes it)", async () => {
  const file = join(root, "conformance/README.md");
  await expect(fill(readFileSync(file, "utf8"), renderRows(table))).toMatchFileSnapshot(file);
});

test.for(Object.entries(pages))(
  "each difference of %s that the last run named is a row of its page",
  ([frontEnd, name]) => {
    const page = readFileSync(join(root, name), "utf8");
    const names: readonly string[] = listNames(table.rows.filter((row) => row.frontEnd === frontEnd));
    expect(names.filter((each) => !page.includes(`| ${each} |`))).toEqual([]);
  },
);

test("in the last run of conformance every front end had clients, and nothing was broken", () => {
  expect(table.rows.flatMap(({ broken }) => broken)).toEqual([]);
  expect(table.rows.filter(({ cases, same, named }) => cases === 0 || cases !== same + named.length)).toEqual([]);
  expect(new Set(table.rows.map(({ frontEnd }) => frontEnd))).toEqual(
    new Set([...Object.keys(pages), "MCP client", "demo model"]),
  );
});

/** Between the comments of a page. */
function fill(page: string, part: string): string {
  const [begin, end] = ["<!-- clients, by conformance -->", "<!-- end of clients -->"];
  if (!page.includes(begin) || !page.includes(end)) throw new Error("the page has no place for its clients");
  return `${page.slice(0, page.indexOf(begin) + begin.length)}\n\n${part}\n\n${page.slice(page.indexOf(end))}`;
}
