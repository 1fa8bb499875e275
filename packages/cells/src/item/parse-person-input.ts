import type { ToolCallThreadItem } from "@unroll/protocol";

/** A question that the model asked you with `request_user_input`. */
export interface PersonInput {
  readonly question: string;
  /** Empty: no answer, or not yet. */
  readonly answers: readonly string[];
}

/** Null: it is another call, or cannot be parsed. */
export function parsePersonInput({
  tool,
  arguments: given,
  output,
}: ToolCallThreadItem): readonly PersonInput[] | null {
  if (tool !== "request_user_input" || typeof given !== "object" || given === null) return null;
  const { questions } = given as { readonly questions?: unknown };
  if (!Array.isArray(questions) || questions.length === 0) return null;
  const answers = parseAnswers(output);
  return (questions as readonly { readonly id?: unknown; readonly question?: unknown }[]).map(({ id, question }) => ({
    question: String(question),
    answers: answers[String(id)] ?? [],
  }));
}

/** By the question's id; empty if the output is a sentence. */
function parseAnswers(output: string | null): Readonly<Record<string, readonly string[]>> {
  try {
    const { answers = {} } = JSON.parse(output ?? "{}") as {
      readonly answers?: Readonly<Record<string, { readonly answers?: readonly string[] }>>;
    };
    return Object.fromEntries(Object.entries(answers).map(([id, each]) => [id, (each.answers ?? []).map(String)]));
  } catch {
    return {};
  }
}
