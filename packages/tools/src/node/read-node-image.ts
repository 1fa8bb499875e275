import { type FileGate, judgeFile, openRegularFile } from "@unroll/files";
import { checkShape, describeSystemError, describeThrown, systemErrorCode } from "@unroll/text";
import { type ImageType, isWholeImage } from "./is-whole-image.ts";

/** A `data:image/…;base64,…` URL, or one sentence that says why there is none. */
export type ImageFile =
  | { readonly dataUrl: string }
  /** `refusal`: why the gate refused the file, as the rest of a sentence that begins with its path. */
  | { readonly error: string; readonly refusal?: string };

/** How `readNodeImage` treats an image. */
interface ReadNodeImageOptions {
  /**
   * The size, in pixels and not rounded, at which the model sees an image of this size. A larger image is scaled down to it
   * if the optional package `sharp` is installed. `toSeenSize` of `@unroll/compaction` fits most models.
   */
  readonly toSeenSize: (size: ImageSize) => ImageSize;
  /** Which files are not read. Absent: every file is. */
  readonly gate?: FileGate;
}

interface ImageSize {
  readonly width: number;
  readonly height: number;
}

const mebibyte = 1024 * 1024;
/** Limit of a file: enough for large photographs and screenshots. */
const maxFileBytes = 64 * mebibyte;
/** Limit of the image that is sent: providers refuse more. */
const maxSentBytes = 20 * mebibyte;

const mediaTypes: Readonly<Record<ImageType, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
};

/**
 * Reads an image file of this machine's disk for a model, as `ImageReader.read` needs it. The bytes decide the type, not the
 * file's name. Takes PNG, JPEG, GIF and WebP of at most 64 MiB.
 */
export async function readNodeImage(path: string, options: ReadNodeImageOptions): Promise<ImageFile> {
  checkShape("readNodeImage", { path, options }, { path: "text", "options.toSeenSize": "a function" });
  const { gate, toSeenSize } = options;
  try {
    const read = await readFile(path, gate ?? null);
    return "error" in read ? read : await toImageFile(path, read.bytes, toSeenSize);
  } catch (error) {
    return { error: describeReadError(error, path) };
  }
}

async function readFile(
  path: string,
  gate: FileGate | null,
): Promise<{ readonly bytes: Buffer } | Extract<ImageFile, { error: string }>> {
  const file = await openRegularFile(path);
  if (file === null) return { error: `${path} is not a file.` };
  const { handle, opened, size } = file;
  try {
    const refusal = gate === null ? null : await judgeFile(path, opened, gate);
    if (refusal !== null) return { error: `${path} may not be read: a policy denies it.`, refusal };
    return size > maxFileBytes ? { error: tooManyBytes(path, size, maxFileBytes) } : { bytes: await handle.readFile() };
  } finally {
    await handle.close();
  }
}

async function toImageFile(
  path: string,
  bytes: Buffer,
  toSeenSize: ReadNodeImageOptions["toSeenSize"],
): Promise<ImageFile> {
  const header = await readHeader(bytes);
  if (header === null) return { error: `${path} is not an image of a kind that models take (png, jpeg, gif, webp).` };
  const { type, width, height } = header;
  if (!isPlausible(width) || !isPlausible(height) || width * height > maxPixels)
    return { error: `${path} says that it is ${width} x ${height} pixels; at most ${maxPixels} in all are taken.` };
  if (!isWholeImage(type, bytes)) return { error: `${path} is damaged: the end of the image is missing.` };

  const seen = toSeenSize({ width, height });
  const isLarge = seen.width < width || seen.height < height;
  const scaled = isLarge ? await scaleImage({ type, bytes }, Math.round(Math.max(seen.width, seen.height))) : null;
  if (scaled && "error" in scaled) return { error: `${path} is damaged: ${scaled.error}.` };
  const sent = scaled ?? { type, bytes };
  if (sent.bytes.length > maxSentBytes) {
    const remedy = isLarge && scaled === null ? ` ${installSharp}` : "";
    return { error: tooManyBytes(path, sent.bytes.length, maxSentBytes) + remedy };
  }
  return { dataUrl: `data:${mediaTypes[sent.type]};base64,${Buffer.from(sent.bytes).toString("base64")}` };
}

const installSharp = "It would be scaled down by the package sharp, which is not installed: npm install sharp.";

/** Null if the bytes do not begin like an image that models take. */
async function readHeader(bytes: Uint8Array): Promise<(ImageSize & { readonly type: ImageType }) | null> {
  const { imageSize } = await import("image-size");
  try {
    const { type, width, height } = imageSize(bytes);
    return isImageType(type) ? { type, width, height } : null;
  } catch {
    return null;
  }
}

function isImageType(type: string | undefined): type is ImageType {
  return type !== undefined && Object.hasOwn(mediaTypes, type);
}

function isPlausible(side: number): boolean {
  return Number.isInteger(side) && side > 0;
}

function tooManyBytes(path: string, bytes: number, limit: number): string {
  return `${path} has ${bytes} bytes; at most ${limit} are taken. Make it smaller first.`;
}

function describeReadError(error: unknown, path: string): string {
  if (systemErrorCode(error) === "ENOENT") return `${path} does not exist.`;
  return `${path} cannot be read: ${describeSystemError(error)}.`;
}

/** A larger image is not decoded: a file of a few bytes can claim any size. */
const maxPixels: number = 2 ** 27;

interface ImageBytes {
  readonly type: ImageType;
  readonly bytes: Uint8Array;
}

type ScaledImage =
  | ImageBytes
  /** The image is damaged; the first line of the decoder's message. */
  | { readonly error: string }
  /** The optional package `sharp` is not installed. */
  | null;

/**
 * Scales the image so that its longer side has `maxSide` pixels, and rotates it as its EXIF data say. An animation becomes its
 * first frame. JPEG keeps its colours at full resolution because screenshots have fine coloured lines. The linear kernel makes
 * no halos around edges. The adaptive filter shrinks a PNG of a photograph to as little as a third of the bytes.
 */
async function scaleImage({ type, bytes }: ImageBytes, maxSide: number): Promise<ScaledImage> {
  const sharp = await import("sharp").catch(() => null);
  if (sharp === null) return null;
  try {
    const scaled = sharp
      .default(bytes, { failOn: "truncated", limitInputPixels: maxPixels })
      .autoOrient()
      .resize(maxSide, maxSide, { fit: "inside", withoutEnlargement: true, kernel: "linear" });
    switch (type) {
      case "jpg":
        return { type, bytes: await scaled.jpeg({ quality: 85, chromaSubsampling: "4:4:4" }).toBuffer() };
      case "webp":
        return { type, bytes: await scaled.webp({ quality: 85 }).toBuffer() };
      case "png":
      case "gif":
        return { type: "png", bytes: await scaled.png({ adaptiveFiltering: true }).toBuffer() };
    }
  } catch (error) {
    const [line = ""] = describeThrown(error).split("\n");
    return { error: line };
  }
}
