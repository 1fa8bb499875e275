import { mkdir, mkdtempDisposable, readdir, readFile, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OutputFile } from "@unroll/tools";
import fc from "fast-check";
import { expect, test } from "vitest";
import { createNodeOutputFiles, type NodeOutputFilesOptions } from "../../src/node/node-output-files.ts";

const now = Date.UTC(2026, 0, 31);
const day = 86_400_000;

async function withFiles(
  options: Partial<NodeOutputFilesOptions>,
  work: (open: () => Promise<OutputFile>, folder: string) => Promise<void>,
): Promise<void> {
  await using root = await mkdtempDisposable(join(tmpdir(), "unroll-output-test-"));
  const folder = join(root.path, "outputs/thread");
  await using files = createNodeOutputFiles({ folder, now: () => now, ...options });
  await work(async () => {
    const file = await files.open();
    if (!file) throw new Error("no file");
    return file;
  }, folder);
}

test("a file holds the start of what is written, up to its bound, and never half a character", async () => {
  const texts = fc.array(fc.string({ unit: "grapheme", maxLength: 12 }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(texts, fc.nat(60), async (parts, maxFileBytes) => {
      await withFiles({ maxFileBytes }, async (open) => {
        const file = await open();
        for (const part of parts) await file.write(part);
        await file.close();
        const text = await readFile(file.path, "utf8");
        const [kept, whole] = [Buffer.byteLength(text), Buffer.byteLength(parts.join(""))];
        expect(parts.join("").startsWith(text)).toBe(true);
        expect([file.keptBytes, file.droppedBytes]).toEqual([kept, whole - kept]);
        expect(kept).toBeLessThanOrEqual(maxFileBytes);
        expect(kept).toBeGreaterThan(Math.min(whole, maxFileBytes) - 4);
      });
    }),
    { numRuns: 50 },
  );
});

test("all files of a thread together have a bound too", async () => {
  await withFiles({ maxBytes: 10 }, async (open) => {
    const [one, two] = [await open(), await open()];
    await one.write("123456");
    await two.write("123456");
    await Promise.all([one.close(), two.close(), one.close()]);
    expect([one.keptBytes, one.droppedBytes, two.keptBytes, two.droppedBytes]).toEqual([6, 0, 4, 2]);
  });
});

test("a file that the system does not give is none", async () => {
  await using root = await mkdtempDisposable(join(tmpdir(), "unroll-output-test-"));
  await writeFile(join(root.path, "outputs"), "in the way");
  await using files = createNodeOutputFiles({ folder: join(root.path, "outputs/thread"), now: () => now });
  expect(await files.open()).toBeNull();
});

test("what a crash left behind is removed after a week", async () => {
  await withFiles({}, async (open, folder) => {
    for (const [name, days] of [
      ["old", 8],
      ["new", 6],
    ] as const) {
      const path = join(folder, "..", name);
      await mkdir(path, { recursive: true });
      await writeFile(join(path, "output-1.txt"), "x");
      await utimes(path, (now - days * day) / 1000, (now - days * day) / 1000);
    }
    await (await open()).close();
    expect((await readdir(join(folder, ".."))).toSorted()).toEqual(["new", "thread"]);
  });
});
