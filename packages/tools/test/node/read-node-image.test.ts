import { execFileSync } from "node:child_process";
import { link, mkdir, mkdtempDisposable, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readNodeImage } from "@unroll/tools/node";
import { imageSize } from "image-size";
import sharp, { type Sharp } from "sharp";
import { describe, expect, test, vi } from "vitest";

type Format = "png" | "jpeg" | "gif" | "webp";
const formats: readonly Format[] = ["png", "jpeg", "gif", "webp"];

function draw(width: number, height: number): Sharp {
  return sharp({ create: { width, height, channels: 3, background: "teal" } });
}

async function encode(format: Format, width: number, height: number): Promise<Buffer> {
  return draw(width, height).toFormat(format).toBuffer();
}

type ToSeenSize = Parameters<typeof readNodeImage>[1]["toSeenSize"];

/** The size of a model that sees images with at most this many pixels on the longer side. */
function fitInto(side: number): ToSeenSize {
  return ({ width, height }) => {
    const factor = Math.min(1, side / Math.max(width, height));
    return { width: width * factor, height: height * factor };
  };
}

const toSeenSize = fitInto(2048);

/** Reads bytes as a file of the name. */
async function read(
  bytes: Uint8Array,
  { name = "image", seen = toSeenSize }: { readonly name?: string; readonly seen?: ToSeenSize } = {},
): Promise<Awaited<ReturnType<typeof readNodeImage>>> {
  await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-image-test-"));
  await writeFile(join(folder.path, name), bytes);
  const file = await readNodeImage(join(folder.path, name), { toSeenSize: seen });
  return "error" in file ? { error: file.error.replace(folder.path, "") } : file;
}

async function readSize(bytes: Uint8Array): Promise<unknown> {
  const file = await read(bytes);
  if ("error" in file) throw new Error(file.error);
  const [, media, data = ""] = /^data:(image\/\w+);base64,(.*)$/.exec(file.dataUrl) ?? [];
  const { width, height } = imageSize(Buffer.from(data, "base64"));
  return [media, width, height];
}

/** A PNG that says it is so large, and ends where its pixels would begin. */
function claim(width: number, height: number): Buffer {
  const header = Buffer.alloc(33);
  header.write("\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "latin1");
  header.writeUInt32BE(width, 16);
  header.writeUInt32BE(height, 20);
  header.set([8, 2], 24);
  return Buffer.concat([header, Buffer.from("\0\0\0\0IEND\xaeB`\x82", "latin1")]);
}

describe("an image", () => {
  test.for(formats)("of the type %s is sent as it is, whatever its name", async (format) => {
    const bytes = await encode(format, 2048, 16);
    expect(await read(bytes, { name: "notes.txt" })).toEqual({
      dataUrl: `data:image/${format};base64,${bytes.toString("base64")}`,
    });
  });

  test.for(formats)("of the type %s that is larger than models see is scaled down", async (format) => {
    const media = format === "gif" ? "image/png" : `image/${format}`;
    expect(await readSize(await encode(format, 3000, 300))).toEqual([media, 2048, 205]);
    expect(await readSize(await encode(format, 50, 2100))).toEqual([media, 49, 2048]);
  });

  test("of a photograph that is scaled has a fifth fewer bytes than one whose rows are not filtered", async () => {
    const [width, height] = [1536, 1024];
    const pixels = Buffer.alloc(width * height * 3);
    for (let at = 0, seed = 1; at < pixels.length; at++) {
      seed = (seed * 1103515245 + 12345) % 2 ** 31;
      const [x, y] = [Math.floor(at / 3) % width, Math.floor(at / 3 / width)];
      pixels[at] = 128 + 60 * Math.sin(x / 70) + 50 * Math.cos(y / 90) + seed / 2 ** 30;
    }
    const photograph = await sharp(pixels, { raw: { width, height, channels: 3 } })
      .png()
      .toBuffer();
    const plain = await sharp(photograph).resize(1152, 768, { kernel: "linear" }).png().toBuffer();
    const file = await read(photograph, { seen: fitInto(1152) });
    expect("dataUrl" in file ? file.dataUrl.length : Infinity).toBeLessThan(((plain.length * 4) / 3) * 0.8);
  });

  test("that is scaled is turned as its camera was held", async () => {
    const bytes = await draw(3000, 300).withMetadata({ orientation: 6 }).jpeg().toBuffer();
    expect(await readSize(bytes)).toEqual(["image/jpeg", 205, 2048]);
  });

  test("with something behind its end is whole", async () => {
    for (const format of formats) {
      const file = await read(Buffer.concat([await encode(format, 20, 20), Buffer.from("more")]));
      expect(file).toHaveProperty("dataUrl");
    }
  });

  test("is sent as it is where sharp is not installed", async () => {
    vi.doMock("sharp", () => {
      throw new Error("Cannot find package 'sharp'");
    });
    try {
      expect(await readSize(await encode("png", 3000, 10))).toEqual(["image/png", 3000, 10]);
      const png = await encode("png", 3000, 10);
      const end = png.length - 12; // IEND; a chunk of anything goes in front of it
      const filler = Buffer.alloc(20 * 2 ** 20 + 12);
      filler.writeUInt32BE(filler.length - 12);
      filler.write("fiLl", 4);
      const large = Buffer.concat([png.subarray(0, end), filler, png.subarray(end)]);
      expect(await read(large)).toEqual({
        error: expect.stringMatching(
          /^\/image has \d+ bytes; .* It would be scaled down by the package sharp, which is not installed: npm install sharp\.$/,
        ),
      });
    } finally {
      vi.doUnmock("sharp");
    }
  });
});

describe("a file that is not an image", () => {
  test.for([
    ["text", Buffer.from("not an image at all\n")],
    ["nothing", Buffer.alloc(0)],
    ["an image of another kind", Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"/>')],
    ["the first bytes of one", Buffer.from("\x89PNG\r\n", "latin1")],
  ] as const)("%s is refused by its bytes, not by its name", async ([_what, bytes]) => {
    expect(await read(bytes, { name: "image.png" })).toEqual({
      error: "/image.png is not an image of a kind that models take (png, jpeg, gif, webp).",
    });
  });

  test.for(formats)("a %s file that was cut off is reported as damaged", async (format) => {
    const bytes = await encode(format, 60, 60);
    for (const length of [bytes.length - 1, bytes.length - 20]) {
      expect(await read(bytes.subarray(0, length))).toEqual({
        error: "/image is damaged: the end of the image is missing.",
      });
    }
  });

  test("an image whose pixels are missing is reported as damaged when it is scaled", async () => {
    expect(await read(claim(3000, 3000))).toEqual({ error: expect.stringMatching(/^\/image is damaged: .+\.$/) });
  });

  test.for([
    [100_000, 100_000],
    [0, 10],
    [4_000_000_000, 1],
  ] as const)("a size of %i x %i pixels is not believed", async ([width, height]) => {
    expect(await read(claim(width, height))).toEqual({
      error: `/image says that it is ${width} x ${height} pixels; at most 134217728 in all are taken.`,
    });
  });

  test("a file that is too large is not read, and one that is not there, a folder or a pipe neither", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-image-test-"));
    const path = (name: string) => join(folder.path, name);
    await writeFile(path("large"), "");
    await truncate(path("large"), 64 * 1024 * 1024 + 1);
    await mkdir(path("folder"));
    execFileSync("mkfifo", [path("pipe")]);
    const errors = await Promise.all(
      ["large", "folder", "pipe", "none"].map((name) => readNodeImage(path(name), { toSeenSize })),
    );
    expect(errors).toEqual([
      { error: `${path("large")} has 67108865 bytes; at most 67108864 are taken. Make it smaller first.` },
      { error: `${path("folder")} is not a file.` },
      { error: `${path("pipe")} is not a file.` },
      { error: `${path("none")} does not exist.` },
    ]);
  });

  test("a file that may not be read is not, by no other name either", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "unroll-image-test-"));
    const path = join(folder.path, "secret.png");
    await writeFile(path, await encode("png", 10, 10));
    await symlink(path, join(folder.path, "link.png"));
    await link(path, join(folder.path, "other-name.png"));
    const canRead = (realPath: string): boolean => !realPath.endsWith("/secret.png");
    const gate = { canRead, hidden: [path], codexHome: null, project: null };
    const refusals = {
      "link.png": "leads to a hidden file",
      "other-name.png": "is another name of a hidden file (it has 2 names)",
    };
    for (const [name, refusal] of Object.entries(refusals)) {
      const file = await readNodeImage(join(folder.path, name), { toSeenSize, gate });
      expect(file).toEqual({ error: `${join(folder.path, name)} may not be read: a policy denies it.`, refusal });
    }
  });
});
