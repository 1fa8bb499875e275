import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openCommandWorld } from "./run-unroll.ts";

const noModel = { script: { turns: [] } };

test("a run keeps what it compiled, and the next one takes it unless it is damaged", async () => {
  await using world = await openCommandWorld(noModel);
  const cache = join(world.work, "cache");
  const run = (): Promise<unknown> => world.run(["exec", "--help"], { env: { NODE_COMPILE_CACHE: cache } });
  const first = await run();
  const folder = join(cache, "unroll");
  const [name = ""] = await readdir(folder);
  expect(name).toMatch(/^start-[0-9a-f]+\.code-v[\d.]+-help$/);

  const kept = await readFile(join(folder, name));
  expect(await run()).toEqual(first);
  expect((await readFile(join(folder, name))).equals(kept)).toBe(true);

  const damaged = Buffer.from(kept).fill(0xee, 60_000, 60_100);
  await writeFile(join(folder, name), damaged);
  expect(await run()).toEqual(first);
  expect(await readdir(folder)).toEqual([name]);
  expect((await readFile(join(folder, name))).equals(damaged)).toBe(false);
});

test("a run works without a code cache, whether caching fails or is off", async () => {
  await using world = await openCommandWorld(noModel);
  const cache = join(world.work, "cache");
  await writeFile(cache, "");
  const help = expect.objectContaining({ exitCode: 0, stderr: "" });
  expect(await world.run(["exec", "--help"], { env: { NODE_COMPILE_CACHE: cache } })).toEqual(help);
  const off = join(world.work, "off");
  await mkdir(off);
  const env = { NODE_COMPILE_CACHE: off, NODE_DISABLE_COMPILE_CACHE: "1" };
  expect(await world.run(["exec", "--help"], { env })).toEqual(help);
  expect(await readdir(off)).toEqual([]);
});
