import { mkdir, mkdtempDisposable, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { expect, test } from "vitest";
import { pastIndexes } from "../past-indexes.ts";

const toPackage = (name: string, sideEffects: boolean): string =>
  JSON.stringify({
    name: `@unroll/${name}`,
    sideEffects,
    type: "module",
    exports: { ".": { "@unroll/source": "./src/index.ts" }, "./extra": { "@unroll/source": "./src/extra.ts" } },
  });

/** `used` has every way in which an index can pass a name on; `loud` has side effects. */
const files = {
  "packages/used/package.json": toPackage("used", false),
  "packages/used/src/index.ts": `
    export { one, two as deux } from "./numbers.ts";
    export { three } from "./chain.ts";
    export * from "./star.ts";
    export * from "./other-star.ts";
    export { shout } from "@unroll/loud";
    export const own = "own";
    export type { Shape } from "./shape.ts";
    export * as numbers from "./numbers.ts";
    export { unused } from "./unused.ts";`,
  "packages/used/src/extra.ts": `export { extra } from "./chain.ts";`,
  "packages/used/src/numbers.ts": `export const one = 1; export const two = 2;`,
  "packages/used/src/chain.ts": `import { inner } from "./inner.ts"; export { inner as three }; export const extra = "extra";`,
  "packages/used/src/inner.ts": `export const inner = 3;`,
  "packages/used/src/star.ts": `export const four = 4; export const clash = "left to esbuild";`,
  "packages/used/src/other-star.ts": `export const five = 5;`,
  "packages/used/src/shape.ts": `export interface Shape { readonly size: number }`,
  "packages/used/src/unused.ts": `export const unused = "brought along by the index";`,
  "packages/loud/package.json": toPackage("loud", true),
  "packages/loud/src/index.ts": `import "./effect.ts"; export { shout } from "./shout.ts";`,
  "packages/loud/src/effect.ts": `globalThis.effects = (globalThis.effects ?? 0) + 1;`,
  "packages/loud/src/shout.ts": `export const shout = "HEY";`,
  "apps/program/src/main.ts": `
    import { one, deux as two, type Shape, // a comment, with a comma
      three, four, five, own, numbers, shout } from "@unroll/used";
    import { extra } from "@unroll/used/extra";
    import * as all from "@unroll/used";
    import { shout as shoutAgain } from "@unroll/loud";
    const deux = "a name of this file's own";
    const shape: Shape = { size: 6 };
    const text = \`
import { one } from "@unroll/used";
\`;
    export const said = { one, two, three, four, five, own, shout, shoutAgain, extra, deux, text, ...shape };
    export const same = [numbers.two, all.clash, globalThis.effects];`,
  "apps/program/src/small.ts": `import { one } from "@unroll/used"; export const small = one;`,
  "apps/program/src/late.ts": `import { unused } from "@unroll/used"; export const late = unused;`,
};

async function bundle(folder: string, ...entries: readonly string[]): Promise<Readonly<Record<string, string>>> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  await mkdir(join(folder, "node_modules/@unroll"), { recursive: true });
  for (const name of ["used", "loud"])
    await symlink(join(folder, "packages", name), join(folder, "node_modules/@unroll", name));
  const { metafile } = await build({
    entryPoints: entries.map((entry) => join(folder, "apps/program/src", entry)),
    outdir: join(folder, "out"),
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    metafile: true,
    absWorkingDir: folder,
    conditions: ["@unroll/source"],
    plugins: [pastIndexes(folder)],
  });
  return Object.fromEntries(
    Object.entries(metafile.outputs).map(([path, { inputs }]) => [path, Object.keys(inputs).join(" ")]),
  );
}

test("every way in which an index passes a name on gives the same value as without the plugin", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "past-indexes-"));
  await bundle(folder.path, "main.ts");
  const { said, same } = (await import(join(folder.path, "out/main.mjs"))) as Record<string, unknown>;
  const numbers = { one: 1, two: 2, three: 3, four: 4, five: 5, size: 6 };
  const words = { own: "own", shout: "HEY", shoutAgain: "HEY", extra: "extra", deux: "a name of this file's own" };
  expect(said).toEqual({ ...numbers, ...words, text: '\nimport { one } from "@unroll/used";\n' });
  expect(same).toEqual([2, "left to esbuild", 1]);
});

test("a file that imports one name of an index has nothing else of that index in its chunks", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "past-indexes-"));
  const chunks = await bundle(folder.path, "small.ts", "late.ts");
  expect(chunks).toEqual({
    "out/small.mjs": "packages/used/src/numbers.ts apps/program/src/small.ts",
    "out/late.mjs": "packages/used/src/unused.ts apps/program/src/late.ts",
  });
});
