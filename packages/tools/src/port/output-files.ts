/**
 * Files that keep output too long for the model, so that the model can read the rest there. `createNodeOutputFiles` of
 * `@unroll/tools/node` writes them to this machine's disk.
 */
export interface OutputFiles {
  /** Creates a new, empty file. Null: impossible (no space, no right); the output is cut anyway. */
  open(): Promise<OutputFile | null>;
}

/** A file that holds the output of one call whole. */
export interface OutputFile {
  /** Absolute. Commands in the sandbox can read it, and cannot write it. */
  readonly path: string;
  /** In UTF-8: what is in the file, from the start of the output on. */
  readonly keptBytes: number;
  /** In UTF-8: what came when the file was full, or could not be written. */
  readonly droppedBytes: number;
  /** Resolves when the text is written or dropped. Never rejects. One call at a time. */
  write(text: string): Promise<void>;
  /** The file stays. Closing it again does nothing. */
  close(): Promise<void>;
}
