import type { ImageFile } from "./node-image-files.ts";

/**
 * An image file for a model, scaled down where it is larger than models see. Its type is told by its bytes, not by its
 * name. `isReadable` is asked with every link followed; absent: all may be read.
 */
export async function readImageFile(path: string, isReadable?: (realPath: string) => boolean): Promise<ImageFile> {
  const { readImage } = await import("./node-image-files.ts");
  return readImage(path, isReadable);
}
