/**
 * Which files patches and images may touch without a question: the same that a command in the sandbox may. Paths are
 * absolute, with every symbolic link followed. Implemented by `harness`.
 */
export interface PathAccess {
  /** Returns which files may be written now. Ask again for each patch. */
  judgeWrites(): (realPath: string) => boolean;
  /** Whether a file's content may be shown to the model. */
  canRead(realPath: string): boolean;
}
