/** The variable by which the processes of a tree are found again, whatever group or session they moved to. */
export const markerVariable = "UNROLL_PROCESS_ID";

/** A process and all that it started. */
export interface ProcessTree {
  /** Process id and process group id of the first process. */
  readonly leader: number;
  /** The value of `markerVariable` in its environment: letters, digits, `-` and `.`, and no other tree's. */
  readonly marker: string;
  /**
   * Process 1 of its own namespace, once there is one, else null: when that has ended, nothing of the tree is left. Then it
   * and the leader are the sandbox's launcher, not the command. Absent: there never is one.
   */
  readonly findInit?: () => number | null;
}
