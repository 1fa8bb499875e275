import { open, stat } from "node:fs/promises";
import { extname } from "node:path";

/** Providers refuse more, and a prompt has better uses for the tokens. */
const maxImageBytes = 20 * 1024 * 1024;

const mediaTypes: Readonly<Record<string, string>> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
};

/** An image file as a `data:` URL, or one sentence why not. The type is told by the bytes, not by the name. */
export async function readImageFile(path: string): Promise<{ readonly dataUrl: string } | { readonly error: string }> {
  const { imageSize } = await import("image-size");
  try {
    const found = await stat(path);
    if (!found.isFile()) return { error: `${path} is not a file.` };
    if (found.size > maxImageBytes)
      return { error: `${path} has ${found.size} bytes; at most ${maxImageBytes} are taken.` };
    await using file = await open(path, "r");
    const bytes = await file.readFile();
    const mediaType = mediaTypes[imageSize(bytes).type ?? ""];
    if (mediaType === undefined) return { error: notAnImage(path) };
    return { dataUrl: `data:${mediaType};base64,${bytes.toString("base64")}` };
  } catch (error) {
    return { error: describeReadError(error, path) };
  }
}

function describeReadError(error: unknown, path: string): string {
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : undefined;
  if (code === "ENOENT") return `${path} does not exist.`;
  if (code === "EACCES" || code === "EPERM") return `${path} may not be read: permission denied.`;
  return code === undefined ? notAnImage(path) : `${path} cannot be read: ${code}.`;
}

function notAnImage(path: string): string {
  return `${path} is not an image of a kind that models take (png, jpeg, gif, webp); its name ends in "${extname(path)}".`;
}
