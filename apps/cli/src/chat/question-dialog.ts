import { toPlainText } from "@unroll/text";
import type { ChoiceAnswer, ModelQuestion } from "@unroll/protocol";
import { readChoice } from "./read-choice.ts";
import type { Terminal } from "./terminal.ts";

/** Puts the model's questions to the person: a number, or an answer in their own words. Leaving one dismisses them all. */
export async function askModelQuestions(
  terminal: Terminal,
  questions: readonly ModelQuestion[],
  signal: AbortSignal,
): Promise<ChoiceAnswer> {
  const answers: Record<string, readonly string[]> = {};
  for (const question of questions) {
    terminal.say(renderQuestion(question));
    const answer = (await terminal.ask("  Number, or your own words: ", { signal }))?.trim() ?? "";
    signal.throwIfAborted();
    if (answer === "") return { type: "dismissed" };
    answers[question.id] = [readChoice(answer, question.options)?.label ?? answer];
  }
  return { type: "answered", answers };
}

function renderQuestion({ header, question, options }: ModelQuestion): string {
  const list = options.map(({ label, description }, index) => `  ${index + 1}. ${label}: ${description}`);
  return toPlainText(["", `? ${header}: ${question}`, ...list].join("\n"));
}
