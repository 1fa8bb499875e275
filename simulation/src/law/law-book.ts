import { createHash } from "node:crypto";

/** What was done in one simulation, step by step, and which laws it broke. */
export interface LawBook {
  /** All steps so far in order, the newest of them in full. */
  readonly steps: readonly string[];
  readonly broken: readonly string[];
  /** Of all steps: two runs of one seed have the same. */
  hash(): string;
  /** Something happened. */
  note(step: string): void;
  breach(law: string): void;
}

/** How many steps are kept to be shown. */
const mostSteps = 4000;

export function createLawBook(now: () => number): LawBook {
  const steps: string[] = [];
  const broken: string[] = [];
  const hash = createHash("sha256");
  let count = 0;

  function note(step: string): void {
    const line = `${String((count += 1)).padStart(4)} ${now().toFixed(0).padStart(8)} ms  ${step}`;
    hash.update(`${line}\n`);
    steps.push(line);
    if (steps.length > mostSteps) steps.shift();
  }

  return {
    steps,
    broken,
    hash: () => hash.copy().digest("hex"),
    note,
    breach(law) {
      broken.push(law);
      note(`BROKEN: ${law}`);
    },
  };
}
