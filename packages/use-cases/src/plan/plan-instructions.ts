import type { UserInput } from "@unroll/protocol";

/** Follows the user's message while plan mode is on: tells the model how to answer. */
const planInstructions = `<plan_mode>
Plan mode is on. Read whatever you need; change nothing: patches and commands that write are refused. Ask the person where a decision is
theirs. Give the whole plan as Markdown, also when it is revised, at the end of your answer and under the heading "# Plan: " with its subject:
what is to be reached, the steps in order with the files that each touches, how each is checked, and what could go wrong. An answer that is no
plan has no such heading. The person decides whether it is carried out.
</plan_mode>`;

/** The input, with the instructions to plan. */
export function toPlanInput(input: UserInput): UserInput {
  const parts = typeof input === "string" ? [{ type: "text", text: input } as const] : input;
  return [...parts, { type: "text", text: planInstructions, isAdded: true }];
}
