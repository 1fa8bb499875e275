import { describeThrown } from "@unroll/text";
import type { ImageType } from "./is-whole-image.ts";

/** A larger image is not decoded: a file of a few bytes can claim any size. */
export const maxPixels: number = 2 ** 27;

export interface ImageBytes {
  readonly type: ImageType;
  readonly bytes: Uint8Array;
}

export type ScaledImage =
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
export async function scaleImage({ type, bytes }: ImageBytes, maxSide: number): Promise<ScaledImage> {
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
