/** A file that the configuration may be read from. */
export interface ConfigFile {
  readonly path: string;
  readonly owner: "system" | "user" | "project";
  readonly state: "read" | "missing" | "refused";
  /** Why it is not read, for a person; null where it is, or is not there. */
  readonly reason: string | null;
}
