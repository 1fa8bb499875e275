import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { renderConfigPage } from "../../packages/config/src/describe/render-config-page.ts";

const file = join(import.meta.dirname, "../../docs/config.md");

test("docs/config.md says of the keys what their declarations say (-u writes it)", async () => {
  const { keys, yours, old, unused } = renderConfigPage();
  const parts = { keys, "your keys": yours, "old keys": old, "unused keys": unused };
  const page = Object.entries(parts).reduce((text, [name, part]) => fill(text, name, part), readFileSync(file, "utf8"));
  await expect(page).toMatchFileSnapshot(file);
});

/** Between the last comment before its end, and its end. */
function fill(page: string, name: string, part: string): string {
  const end = page.indexOf(`<!-- end of ${name} -->`);
  const start = page.lastIndexOf("-->\n", end) + "-->\n".length;
  if (end === -1) throw new Error(`docs/config.md has no place for the ${name}.`);
  return `${page.slice(0, start)}\n${part}\n\n${page.slice(end)}`;
}
