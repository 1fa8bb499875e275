import type { JsonSchema } from "@unroll/protocol";
import type { ReviewTarget } from "@unroll/report";

/** The task for a review. `focus`: what the person adds; empty: nothing. */
export function renderReviewTask(target: ReviewTarget, focus: string): string {
  const more = focus === "" ? "" : `\n\nThe person who asks for the review adds:\n${focus}`;
  return `Review ${nameTarget(target)}. Change nothing.

Look at the change itself first, then at as much of the code around it as it takes to be sure: who calls what was changed, what the tests cover,
what the types promise. Report only what its author would want to mend before it is merged, and only what you can show:
- a fault that the change brings or uncovers: wrong results, lost data, a crash, a race, a leak, a hole in security, a broken contract;
- what is slower by more than a little, where it matters;
- a test that does not test what it says, or a risky path without one.
No matters of taste, no praise, nothing that was wrong before and is untouched. If there is nothing, the list of findings is empty.

For each finding: a title of one line that says what goes wrong; a body of a few sentences with the input or order of events that shows it
and how to mend it; the file, relative to the working folder, and the line where it is (0 where no line is to be named); and a priority:
0 must be mended at once, it hurts everybody; 1 before the next release; 2 some time; 3 good to have.
The summary says in one or two sentences whether the change can go in as it is.${more}`;
}

function nameTarget(target: ReviewTarget): string {
  switch (target.type) {
    case "uncommitted":
      return "all changes of this work tree that are not committed: staged, not staged (git diff HEAD), and new files (git status --porcelain)";
    case "branch":
      return `what this branch would bring into ${target.branch}: git diff $(git merge-base HEAD ${target.branch}), with what is not committed`;
    case "commit":
      return `the commit ${target.commit}: git show ${target.commit}`;
    case "custom":
      return `the following: ${target.text}`;
  }
}

const text: JsonSchema = { type: "string" };
const count: JsonSchema = { type: "integer", minimum: 0 };

/** The schema of the answer to that task. */
export const reviewSchema: JsonSchema = {
  type: "object",
  properties: {
    findings: {
      type: "array",
      items: {
        type: "object",
        properties: {
          title: text,
          body: text,
          priority: { type: "integer", minimum: 0, maximum: 3 },
          file: text,
          line: count,
        },
        required: ["title", "body", "priority", "file", "line"],
        additionalProperties: false,
      },
    },
    summary: text,
  },
  required: ["findings", "summary"],
  additionalProperties: false,
};
