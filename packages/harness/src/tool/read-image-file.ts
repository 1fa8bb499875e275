import type { FileGate, ImageFile } from "@unroll/tools/node";

/**
 * An image file for a model, scaled down if it is larger than models see. The bytes decide its type, not its name.
 * `gate` refuses files; absent: every file may be read.
 */
export async function readImageFile(path: string, gate?: FileGate): Promise<ImageFile> {
  const { readSeenImage } = await import("./read-seen-image.ts");
  return readSeenImage(path, gate);
}
