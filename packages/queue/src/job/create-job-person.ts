import { createHash } from "node:crypto";
import type { Person, Question } from "@unroll/protocol";
import type { JobQuestion } from "./job-data.ts";

/** Answers questions by what is in the job; all others wait. */
export interface JobPerson {
  readonly person: Person;
  /** The questions that wait now. */
  readonly waiting: readonly JobQuestion[];
  /** From now on, no earlier answer counts: the calls that it was about have begun. */
  forget(): void;
}

/** `given`: the questions of the job. One answer counts for all calls of a response that ask exactly the same. */
export function createJobPerson(given: readonly JobQuestion[]): JobPerson {
  const answers = new Map(given.map(({ id, answer }) => [id, answer]));
  const waiting = new Map<string, JobQuestion>();
  return {
    get waiting() {
      return [...waiting.values()];
    },
    forget: () => answers.clear(),
    person: {
      takes: ["command.approval", "patch.approval", "tool.approval"],
      async answer(question) {
        const id = toQuestionId(question);
        const answer = answers.get(id) ?? null;
        if (answer !== null) return answer;
        waiting.set(id, { id, question, answer: null });
        return { type: "postponed" };
      },
    },
  };
}

/** A call that is asked about again has another item. */
function toQuestionId({ itemId: _itemId, ...question }: Question): string {
  return createHash("sha256").update(JSON.stringify(question)).digest("hex").slice(0, 12);
}
