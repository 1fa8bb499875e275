/** What the model is told when a person said no. */
export function explainDenial(reason: string | null): string {
  return reason === null || reason.trim() === ""
    ? "The user said no. Do not try it again in another form; go another way, or ask what they want."
    : `The user said no, and: ${reason}`;
}
