/** Under what a command only reads. */
export interface ReadGrant {
  /** Variables to set for the command. They undo what programs would obey elsewhere; without them nothing is said. */
  readonly environment: Readonly<Record<string, string>>;
  /** Whether these variables would change what other programs do, so that only commands that read may stand beside it. */
  readonly standsAlone: boolean;
  /** Whether it must run in the folder that the command line starts in: only that one's repository is known. */
  readonly staysHere: boolean;
}

/** It only reads, whatever stands around it. */
export const unconditional: ReadGrant = { environment: {}, standsAlone: false, staysHere: false };
