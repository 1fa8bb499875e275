/** Why a command is asked about whatever a permissive rule says. */
export interface Danger {
  /** Kebab-case, one for each kind. */
  readonly name: string;
  /** The effect of the command, as a clause that follows "it". */
  readonly reason: string;
}
