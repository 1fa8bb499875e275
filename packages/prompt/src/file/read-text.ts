import { countBytes } from "@unroll/text";
import type { PromptFiles } from "../prompt-files.ts";

export type TextRead =
  /** `bytes` of the file's `size` are in `text`. */
  | { readonly type: "text"; readonly text: string; readonly bytes: number; readonly size: number }
  | { readonly type: "missing" }
  /** There, but no text: `reason` continues a sentence that begins with the path. */
  | { readonly type: "unusable"; readonly reason: string }
  | { readonly type: "unreadable"; readonly reason: string };

/** Reads the first `maxBytes` bytes of a UTF-8 file, less the half character that they may end in. */
export async function readText(files: PromptFiles, path: string, maxBytes: number): Promise<TextRead> {
  const file = await files.read(path, maxBytes);
  if (file.type === "irregular") return { type: "unusable", reason: "is not a regular file" };
  if (file.type === "refused") return { type: "unusable", reason: file.reason };
  if (file.type !== "read") return file;
  const isWhole = file.size <= maxBytes;
  const text = decodeUtf8(file.bytes.subarray(0, maxBytes), isWhole ? "whole" : "partial");
  if (text === null) return { type: "unusable", reason: "is not UTF-8 text" };
  return { type: "text", text, bytes: isWhole ? file.size : countBytes(text), size: file.size };
}

/**
 * The text of UTF-8 bytes, without byte order mark; null when they are none, or hold a NUL as only binary files do.
 * With `partial` the bytes may end in the middle of a character, which is left out then.
 */
function decodeUtf8(bytes: Uint8Array, extent: "whole" | "partial"): string | null {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: extent === "partial" });
    return text.includes("\0") ? null : text;
  } catch {
    return null;
  }
}
