import { resolve } from "node:path";
import type { UserInputPart } from "@unroll/protocol";

export interface PicturePlace {
  readonly cwd: string;
  readonly homeDirectory: string;
}

/** The pictures of a message, by their paths; or in a sentence why one cannot be read. */
export type ReadPictures =
  | { readonly type: "read"; readonly parts: readonly UserInputPart[] }
  | { readonly type: "unreadable"; readonly message: string };

export async function readPictures(
  sources: readonly string[],
  { cwd, homeDirectory }: PicturePlace,
): Promise<ReadPictures> {
  if (sources.length === 0) return { type: "read", parts: [] };
  const { readImageFile } = await import("@unroll/harness");
  const parts: UserInputPart[] = [];
  for (const source of sources) {
    const read = await readImageFile(resolve(cwd, source.replace(/^~(?=\/)/, homeDirectory)));
    if ("error" in read) return { type: "unreadable", message: read.error };
    parts.push({ type: "image", dataUrl: read.dataUrl });
  }
  return { type: "read", parts };
}
