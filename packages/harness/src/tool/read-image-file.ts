import type { FileGate, ImageFile } from "@unroll/tools/node";
import type { ReadSettings } from "../sandbox/read-gate.ts";

/**
 * Reads an image file that the user or a client named, and scales it down if it is larger than
 * models see. The bytes decide its type, not its name. Refuses the files that `openPromptFiles`
 * refuses.
 */
export async function readImageFile(path: string, settings: ReadSettings): Promise<ImageFile> {
  const { toPromptGate } = await import("../sandbox/read-gate.ts");
  const image = await readGatedImage(path, toPromptGate(settings));
  return "error" in image && image.refusal !== undefined
    ? { error: `${path} ${image.refusal}: it was not read.` }
    : image;
}

/** The same for any gate; a refusal is worded for the model. */
export async function readGatedImage(path: string, gate: FileGate): Promise<ImageFile> {
  const [{ toSeenSize }, { readNodeImage }] = await Promise.all([
    import("@unroll/compaction"),
    import("@unroll/tools/node"),
  ]);
  return readNodeImage(path, { toSeenSize, gate });
}
