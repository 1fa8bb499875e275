import { describeSystemError, systemErrorCode } from "@unroll/text";

/** A file that was not written. */
export type UnwrittenFile =
  /** What has that name is no ordinary file. */
  | { readonly type: "left_alone"; readonly path: string; readonly found: "link" | "folder" | "special" }
  /** The system refused it. */
  | { readonly type: "failed"; readonly path: string; readonly error: unknown };

const names = { link: "a link", folder: "a folder", special: "no ordinary file" };

/** Why, and what to do. */
export function explainUnwritten(file: UnwrittenFile): string {
  if (file.type === "left_alone")
    return `${file.path} is ${names[file.found]}: it is left alone. Name a new file, or an ordinary one.`;
  const isMissing = systemErrorCode(file.error) === "ENOENT";
  return `${file.path} cannot be written: ${isMissing ? "its folder does not exist" : describeSystemError(file.error)}.`;
}
