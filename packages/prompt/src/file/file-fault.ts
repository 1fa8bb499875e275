/** A fault of a file that people wrote for agents. */
export interface FileFault {
  readonly path: string;
  /** Counted from 1; null: it is the file as a whole. */
  readonly place: TextPlace | null;
  /** The fault and its remedy; begins in lower case, without a full stop. */
  readonly problem: string;
  /** Whether the file is not used because of it. */
  readonly isSkipped: boolean;
}

/** Both counted from 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

/** As one line for people. `what`: the content of the file. */
export function formatFault({ path, place, problem, isSkipped }: FileFault, what: "skill" | "role"): string {
  const where = place === null ? path : `${path}:${place.line}:${place.column}`;
  return `${where}: ${problem}.${isSkipped ? ` The ${what} was skipped.` : ""}`;
}
