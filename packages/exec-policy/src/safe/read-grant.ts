/** Under what a command only reads. */
export interface ReadGrant {
  /**
   * Variables to set for the command. They switch off settings that programs would otherwise obey;
   * without them nothing is certain.
   */
  readonly environment: Readonly<Record<string, string>>;
  /**
   * Whether these variables would change other programs, so that only commands that read may run
   * beside it.
   */
  readonly standsAlone: boolean;
  /** Whether it must run in the folder that the command line starts in: only that one's repository is known. */
  readonly staysHere: boolean;
}

/** The command only reads, whatever else the command line contains. */
export const unconditional: ReadGrant = { environment: {}, standsAlone: false, staysHere: false };
