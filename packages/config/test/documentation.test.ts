import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError, type ResolvedConfig } from "@unroll/config";
import { expect, test } from "vitest";
import { createTempHome, override } from "./temp-home.ts";

const page = readFileSync(join(import.meta.dirname, "../../../docs/config.md"), "utf8");
const [keys = "", unused = ""] = page.split("## Accepted, not used");

/** Each key in the first column of a table, below the table that the section is about. */
const documented = keys.split(/^(?=### |`\[)/m).flatMap((section) => {
  const table = /^\W*\[(model_providers|mcp_servers)\.ID\]/.exec(section)?.[1];
  return [...section.matchAll(/^\| (`.*?) † \||^\| (`.*?) \|/gm)]
    .flatMap((row) => [...(row[1] ?? row[2] ?? "").matchAll(/`([^`]+)`/g)])
    .map((name) => (name[1] ?? "").replace("NAME", "some").replace('"PATH"', "some"))
    .map((name) => (table === undefined ? name : `${table}.some.${name}`));
});

async function isKnown(key: string): Promise<boolean> {
  await using home = await createTempHome();
  const outcome = await home.load({ overrides: [override(key, "1")] }).catch((error: unknown) => error);
  if (outcome instanceof ConfigError) return true;
  return (outcome as ResolvedConfig).warnings.every(({ code }) => code !== "key_unknown");
}

test.for(documented)("the documented key %s exists", async (key) => {
  expect(await isKnown(key)).toBe(true);
});

test("the keys that are said to be accepted are", async () => {
  const [top = "", provider = "", server = ""] = unused.split(/Of a provider:|Of an MCP server:/);
  const prefixed = (text: string, prefix: string): string[] =>
    [...text.matchAll(/`([\w.]+)`/g)].map(([, key = ""]) => (key.includes(".") ? key : `${prefix}${key}`));
  const names = [
    ...prefixed(top, ""),
    ...prefixed(provider, "model_providers.some."),
    ...prefixed(server, "mcp_servers.some."),
  ];
  expect(names.length).toBeGreaterThan(50);
  expect(await Promise.all(names.map(isKnown))).toEqual(names.map(() => true));
});

test("every key is documented", () => {
  const source = readFileSync(join(import.meta.dirname, "../src/schema/config-table.ts"), "utf8");
  const names = [...source.matchAll(/readonly (\w+)\?:/g)].map(([, name = ""]) => name);
  expect(names.length).toBeGreaterThan(60);
  expect(names.filter((name) => !new RegExp(`[[\`.]${name}[\`.]`).test(keys))).toEqual([]);
});
