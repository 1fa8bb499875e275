import { toSeenSize } from "@unroll/compaction";
import { type FileGate, type ImageFile, readNodeImage } from "@unroll/tools/node";

/** As `readImageFile`, which loads this file with the first image. */
export async function readSeenImage(path: string, gate?: FileGate): Promise<ImageFile> {
  return readNodeImage(path, { toSeenSize, ...(gate && { gate }) });
}
