import { createHash } from "node:crypto";

/** The steps of one simulation, and the laws that it broke. */
export interface LawBook {
  /** All steps so far in order, the newest of them in full. */
  readonly steps: readonly string[];
  readonly broken: readonly string[];
  /** A hash of all steps: two runs of one seed have the same. */
  hash(): string;
  /** Something happened. */
  note(step: string): void;
  breach(law: string): void;
}

/** How many steps are kept to be shown. */
const mostSteps = 4000;
/** Characters of steps that are hashed at once. */
const hashedAtOnce = 16_384;

export function createLawBook(now: () => number): LawBook {
  const steps: string[] = [];
  const broken: string[] = [];
  const hash = createHash("sha256");
  let [count, unhashed] = [0, ""];

  function note(step: string): void {
    const line = `${String((count += 1)).padStart(4)} ${now().toFixed(0).padStart(8)} ms  ${step}`;
    unhashed += `${line}\n`;
    if (unhashed.length > hashedAtOnce) hashAll();
    steps.push(line);
    if (steps.length > mostSteps) steps.shift();
  }

  function hashAll(): void {
    hash.update(unhashed);
    unhashed = "";
  }

  return {
    steps,
    broken,
    hash() {
      hashAll();
      return hash.copy().digest("hex");
    },
    note,
    breach(law) {
      broken.push(law);
      note(`BROKEN: ${law}`);
    },
  };
}
