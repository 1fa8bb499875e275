import { describeSystemError, systemErrorCode } from "@unroll/text";

/** A file that was not written. */
export type UnwrittenFile =
  /** The name belongs to something other than a regular file. */
  | { readonly type: "left_alone"; readonly path: string; readonly found: "link" | "folder" | "special" }
  /** The system refused it. */
  | { readonly type: "failed"; readonly path: string; readonly error: unknown };

const names = { link: "a link", folder: "a folder", special: "not a regular file" };

/** Why, and what to do. */
export function explainUnwritten(file: UnwrittenFile): string {
  if (file.type === "left_alone")
    return `${file.path} is ${names[file.found]}, so it was not overwritten. Name a regular file, or a new one.`;
  const isMissing = systemErrorCode(file.error) === "ENOENT";
  return `${file.path} cannot be written: ${isMissing ? "its folder does not exist" : describeSystemError(file.error)}.`;
}
