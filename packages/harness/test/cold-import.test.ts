import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

/** Each file that `import(name)` loads, as the package that it is of. */
async function importCold(name: string): Promise<readonly string[]> {
  const program = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context); } });
    await import(${JSON.stringify(name)});
    console.log(JSON.stringify(loaded));
  `;
  const args = ["--conditions=@unroll/source", "--input-type=module", "--eval", program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: import.meta.dirname });
  const urls = JSON.parse(stdout) as readonly string[];
  return urls.map(
    (url) => /.*\/node_modules\/([^/]+)|\/packages\/([a-z-]+)\/(?:src|dist)/.exec(url)?.slice(1).find(Boolean) ?? url,
  );
}

test("importing the harness loads no part that only a thread needs, and no library", async () => {
  expect([...new Set(await importCold("@unroll/harness"))].toSorted()).toEqual([
    "harness",
    "node:path",
    "text",
    "tools",
  ]);
});

test("the short way is a few files, and no module of Node.js", async () => {
  const loaded = await importCold("@unroll/harness/node");
  expect([...new Set(loaded)]).toEqual(["harness", "tools"]);
  expect(loaded.length).toBeLessThanOrEqual(10); // each takes most of a millisecond
});
