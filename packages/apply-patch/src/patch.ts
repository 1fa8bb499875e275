/** A parsed patch: what it does to each file, in the order it was written. */
export interface Patch {
  /** At least one. The same file may come up more than once; each entry sees what the ones before it did. */
  readonly files: readonly FilePatch[];
}

/**
 * One `*** … File:` part of a patch. `path` is as written, without surrounding blanks; `line` is its header's, from 1.
 */
export type FilePatch = AddFilePatch | DeleteFilePatch | UpdateFilePatch;

/** A new file. `path` is as in the patch; `line` is that of its header there, from 1. */
export interface AddFilePatch {
  readonly type: "file.add";
  readonly path: string;
  readonly line: number;
  /** The whole text of the file, without line endings. None: an empty file. */
  readonly lines: readonly string[];
}
/** A file that goes. `path` is as in the patch; `line` is that of its header there, from 1. */
export interface DeleteFilePatch {
  readonly type: "file.delete";
  readonly path: string;
  readonly line: number;
}
/** A file that is changed, and maybe moved. `path` is as in the patch; `line` is that of its header there, from 1. */
export interface UpdateFilePatch {
  readonly type: "file.update";
  readonly path: string;
  readonly line: number;
  /** Where the file goes; null when it stays. */
  readonly moveTo: string | null;
  /** In the order of the file. Empty only for a move that changes nothing else. */
  readonly hunks: readonly Hunk[];
}

/** One place of a file to change. */
export interface Hunk {
  /** Line of the patch where it begins, from 1. */
  readonly line: number;
  /** The texts of its `@@` lines: each is looked for after the one before it, and the hunk's lines after the last. */
  readonly anchors: readonly string[];
  /** At least one. */
  readonly lines: readonly HunkLine[];
  /** The lines are the last of the file (`*** End of File`). */
  readonly endOfFile: boolean;
}

/** One line of a hunk. */
export interface HunkLine {
  /** As in the patch: kept, removed, added. */
  readonly mark: " " | "-" | "+";
  /** Without the mark and the line ending. */
  readonly text: string;
}
