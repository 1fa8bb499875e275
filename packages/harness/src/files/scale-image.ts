import { describeThrown } from "@unroll/text";
import type { ImageType } from "./is-whole-image.ts";

/** A larger image is not decoded: one of a few bytes can claim any size. */
export const maxPixels: number = 2 ** 27;

export interface ImageBytes {
  readonly type: ImageType;
  readonly bytes: Uint8Array;
}

export type ScaledImage =
  | ImageBytes
  /** The image is broken; one clause of the decoder's own words. */
  | { readonly error: string }
  /** `sharp` is an optional dependency, and is not there. */
  | null;

/**
 * The image with its longer side at `maxSide` pixels, turned as its EXIF data say. Of an animation the first frame. Screens
 * have fine coloured lines, so JPEG keeps its colours at full resolution. The linear kernel makes no rims around edges, and with the
 * adaptive filter a PNG of a photograph takes down to a third of the bytes.
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
