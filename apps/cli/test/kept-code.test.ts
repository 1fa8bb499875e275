import { mkdir, mkdtempDisposable, readdir, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import { runScript } from "../src/kept-code.ts";
import { saveMemoryLater } from "../src/memory-flags.ts";
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

test("the bytes of code that a run read are free again", async () => {
  await using world = await openCommandWorld(noModel);
  const env = { NODE_COMPILE_CACHE: join(world.work, "cache"), NODE_OPTIONS: `--import=${probe}` };
  await world.run(["exec", "--help"], { env }); // keeps its code
  const { stderr } = await world.run(["exec", "--help"], { env });
  expect(Number(stderr)).toBeGreaterThan(0); // the probe ran
  expect(Number(stderr)).toBeLessThan(300_000); // 139,519; with the bytes of the kept code 600,027
});

test("code that a start kept is taken while memory is saved, and code that is kept then is for a start", async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-kept-"));
  const file = { path: join(folder.path, "part.js"), descriptor: null };
  await writeFile(file.path, "(scope) => { scope.runs.push(1); }");
  const runAndKeep = async (kept: string): Promise<Buffer> => {
    runScript(file, join(folder.path, kept), { runs: [] })();
    return await readFile(join(folder.path, kept));
  };
  const ofStart = await runAndKeep("start");
  vi.useFakeTimers();
  saveMemoryLater();
  vi.runAllTimers();
  vi.useRealTimers();
  expect((await runAndKeep("start")).equals(ofStart)).toBe(true); // where V8 refuses it, it is written again
  const later = await runAndKeep("later");
  expect(later.subarray(0, header)).toEqual(ofStart.subarray(0, header));
});

/** A module that tells at the end how many bytes of buffers there are, alive or not yet collected. */
const probe = `data:text/javascript,${encodeURIComponent(
  'process.on("exit", () => process.stderr.write(`${process.memoryUsage().arrayBuffers}`));',
)}`;

/** In bytes: what V8 compares before it takes kept code, the flags among it. */
const header = 16;
