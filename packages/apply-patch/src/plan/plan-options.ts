/** Options of `planPatch`. `canWrite` and `canRead` of `@unroll/sandbox` judge paths by a policy. */
export interface PlanOptions {
  /** Absolute; what relative paths of the patch are against. */
  readonly cwd: string;
  /** Whether a file may be written without asking. Takes a path with every symbolic link followed. */
  readonly isWritable: (realPath: string) => boolean;
  /** Whether a file's text may be shown; one that may not be is refused. Takes the same kind of path. */
  readonly isReadable: (realPath: string) => boolean;
  /** The largest file that is updated, in bytes; 64 MiB when absent. */
  readonly maxFileBytes?: number;
  /** Looked at before each file; planning rejects with its reason. */
  readonly signal: AbortSignal;
}
