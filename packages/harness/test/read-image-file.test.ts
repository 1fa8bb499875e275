import { mkdtempDisposable, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readImageSize } from "@unroll/compaction";
import { readImageFile } from "@unroll/harness";
import sharp from "sharp";
import { expect, test } from "vitest";

async function makeImage(
  format: "png" | "jpeg" | "gif" | "webp",
  [width, height]: readonly [number, number],
): Promise<AsyncDisposable & { readonly path: string }> {
  const folder = await mkdtempDisposable(join(tmpdir(), "unroll-image-test-"));
  const path = join(folder.path, `image.${format}`);
  await sharp({ create: { width, height, channels: 3, background: "teal" } }).toFile(path);
  return { path, [Symbol.asyncDispose]: () => folder.remove() };
}

test.for([
  ["png", 3000, 2000, 1152, 768],
  ["png", 2000, 3000, 768, 1152],
  ["png", 2048, 768, 2048, 768],
  ["png", 769, 769, 768, 768],
  ["png", 5000, 400, 2048, 164],
  ["png", 800, 3000, 546, 2048],
  ["png", 767, 2049, 767, 2048],
  ["png", 1, 3000, 1, 2048],
  ["png", 1200, 900, 1024, 768],
  ["jpeg", 1200, 900, 1024, 768],
  ["gif", 1200, 900, 1024, 768],
  ["webp", 1200, 900, 1024, 768],
] as const)(
  "a %s image of %i x %i pixels is sent as models see it, as %i x %i",
  async ([format, width, height, seenWidth, seenHeight]) => {
    await using image = await makeImage(format, [width, height]);
    const file = await readImageFile(image.path);
    const url = "dataUrl" in file ? file.dataUrl : file.error;
    const media = format === "gif" ? "png" : format;
    expect([url.split(";")[0], readImageSize(url)]).toEqual([
      `data:image/${media}`,
      { width: seenWidth, height: seenHeight },
    ]);
  },
);

test("an image that may not be read is refused, also through a link", async () => {
  await using image = await makeImage("png", [10, 10]);
  const link = `${image.path}-link`;
  await symlink(image.path, link);
  const canRead = (realPath: string): boolean => !realPath.endsWith("/image.png");
  const gate = { canRead, hidden: [image.path], codexHome: null, project: null };
  expect(await readImageFile(link, gate)).toEqual({
    error: `${link} may not be read: a policy denies it.`,
  });
});
