import type { LawBook } from "./law-book.ts";

/** Nothing runs that was refused, nor what needs a yes and got none. */
export interface ApprovalLaws {
  /** What a person said to a question about a command or files; `isYes`: only to a valid yes. */
  answered(about: string, isYes: boolean): void;
  /** A command runs, a file was changed, or a form counts as accepted. `needsYes`: as the policy has it. */
  happened(what: string, needsYes: boolean): void;
}

export function createApprovalLaws(book: LawBook): ApprovalLaws {
  const allowed = new Set<string>();
  const refused = new Set<string>();
  return {
    answered(about, isYes) {
      for (const name of listNames(about)) (isYes ? allowed : refused).add(name);
    },
    happened(what, needsYes) {
      for (const name of listNames(what)) {
        if (refused.has(name)) book.breach(`it ran, though it was refused: ${name}`);
        else if (needsYes && !allowed.has(name)) book.breach(`it ran, and nobody was asked: ${name}`);
      }
    },
  };
}

/** Scripts, forms and files of a simulation have names that no other has. */
function listNames(text: string): readonly string[] {
  return text.match(/(?:work|form) \d+|new-\d+\.txt/g) ?? [];
}
