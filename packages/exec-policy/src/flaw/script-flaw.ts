/** Why the commands of a script are not the whole truth. */
export interface ScriptFlaw {
  /** `unreadable`: commands may be missing from the list. `unsure`: none is, but an expansion may run others. */
  readonly type: "unreadable" | "unsure";
  /** Its name, as a noun phrase for a message. */
  readonly reason: string;
}
