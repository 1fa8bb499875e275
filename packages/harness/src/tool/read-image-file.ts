import type { FileGate, ImageFile } from "@unroll/tools/node";

/**
 * An image file for a model, scaled down if it is larger than models see. The bytes decide its type, not its name.
 * `gate` refuses files; absent: every file may be read.
 */
export async function readImageFile(path: string, gate?: FileGate): Promise<ImageFile> {
  const [{ toSeenSize }, { readNodeImage }] = await Promise.all([
    import("@unroll/compaction"),
    import("@unroll/tools/node"),
  ]);
  return readNodeImage(path, { toSeenSize, ...(gate && { gate }) });
}
