/** The variable that identifies the processes of a tree, whatever group or session they moved to. */
export const markerVariable = "UNROLL_PROCESS_ID";

/** A process and everything that it started. */
export interface ProcessTree {
  /** Process id and process group id of the first process. */
  readonly leader: number;
  /** The value of `markerVariable` in its environment: letters, digits, `-` and `.`; unique to this tree. */
  readonly marker: string;
  /**
   * Process 1 of its own namespace; null: not started yet. When it has ended, nothing of the tree
   * is left. In this case, it and the leader are the sandbox's launcher, not the command. Absent:
   * the tree has no namespace.
   */
  readonly findInit?: () => number | null;
}
