import { toSeenSize } from "@unroll/compaction";
import { type ImageFile, readNodeImage } from "@unroll/tools/node";

/** As `readImageFile`, which loads this file with the first image. */
export async function readSeenImage(path: string, isReadable?: (realPath: string) => boolean): Promise<ImageFile> {
  return readNodeImage(path, { toSeenSize, ...(isReadable && { isReadable }) });
}
