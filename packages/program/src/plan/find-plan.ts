/** The plan in an answer: from its heading, which `planInstructions` ask for, to the end. Null: the answer is none. */
export function findPlan(answer: string): string | null {
  const at = answer.search(/^# plan\b/im);
  return at < 0 ? null : answer.slice(at);
}
