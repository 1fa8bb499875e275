/**
 * The files of the world, as far as a prompt needs them: the port that the caller implements. Paths are absolute.
 * Expected failures are values; what an implementation throws is a bug.
 */
export interface PromptFiles {
  /**
   * Reads the start of a file, following symbolic links. At least the first `maxBytes` bytes, or the whole of a shorter
   * file; what is given over that is ignored. `maxBytes` 0 asks only whether the file is there and how long it is.
   * Must not block on a pipe or a device: whatever is not a regular file is `irregular`.
   */
  read(path: string, maxBytes: number): Promise<FileRead>;
  /** Lists a folder, following a symbolic link to it. Entries come in any order. */
  list(path: string): Promise<FolderRead>;
}

/** The result of reading a file. */
export type FileRead =
  /** `size` is the length of the whole file in bytes. Without `opened`, a gate cannot compare the file with hidden ones. */
  | { readonly type: "read"; readonly bytes: Uint8Array; readonly size: number; readonly opened?: OpenedPromptFile }
  | { readonly type: "missing" }
  /** A folder, a pipe, a socket, a device. */
  | { readonly type: "irregular" }
  /** It is there, but may not or cannot be read; `reason` says why in a few words (`permission denied`). */
  | { readonly type: "unreadable"; readonly reason: string }
  /** A gate refused it; `reason` continues a sentence that begins with the path (`leads to a hidden file`). */
  | { readonly type: "refused"; readonly reason: string };

/** Which file was read, whatever its path leads to later. */
export interface OpenedPromptFile {
  /** With every link followed. */
  readonly realPath: string;
  /** Numbers of the file system, in decimal. */
  readonly device: string;
  readonly inode: string;
  /** How many names it has: hard links. */
  readonly links: number;
}

/** The result of listing a folder. */
export type FolderRead =
  /** `realPath` is the path without symbolic links; by it a loop is found out. */
  | { readonly type: "listed"; readonly realPath: string; readonly entries: readonly FolderEntry[] }
  /** Nothing there, or something that is not a folder. */
  | { readonly type: "missing" }
  | { readonly type: "unreadable"; readonly reason: string };

/** A symbolic link counts as what it points at; one that points nowhere, or round in a loop, is `other`. */
export interface FolderEntry {
  readonly name: string;
  readonly type: "file" | "folder" | "other";
}

/** The ports for a search through files: the files, and where to report warnings. */
export interface FileSearch {
  readonly files: PromptFiles;
  readonly warn: (warning: string) => void;
}
