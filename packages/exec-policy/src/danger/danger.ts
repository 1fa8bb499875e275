/** Why a command is asked about whatever a permissive rule says. */
export interface Danger {
  /** Kebab-case, one for each kind. */
  readonly name: string;
  /** What the command would do, as a clause that follows "it": "deletes …". */
  readonly reason: string;
}
