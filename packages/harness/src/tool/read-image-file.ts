import type { ImageFile } from "@unroll/tools/node";

/**
 * An image file for a model, scaled down if it is larger than models see. The bytes decide its type, not its name.
 * `isReadable` is asked for the real path, with every link followed; absent: every file may be read.
 */
export async function readImageFile(path: string, isReadable?: (realPath: string) => boolean): Promise<ImageFile> {
  const { readSeenImage } = await import("./read-seen-image.ts");
  return readSeenImage(path, isReadable);
}
