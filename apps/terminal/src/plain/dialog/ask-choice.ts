import type { ChoiceAnswer, ModelQuestion, ModelQuestions } from "@unroll/protocol";
import type { Terminal } from "../terminal.ts";
import type { AskedPart } from "./lay-out.ts";
import { readChoice } from "./read-choice.ts";
import { showAsked } from "./show-asked.ts";

/** Puts the model's questions to the person: a number, or an answer in their own words. Leaving one dismisses them all. */
export async function askChoice(
  terminal: Terminal,
  { questions }: ModelQuestions,
  signal: AbortSignal,
): Promise<ChoiceAnswer> {
  const answers: Record<string, readonly string[]> = {};
  for (const [index, question] of questions.entries()) {
    const title = questions.length === 1 ? "The model asks:" : `The model asks (${index + 1} of ${questions.length}):`;
    if (!(await showAsked(terminal, { title, parts: toParts(question) }, signal))) return { type: "dismissed" };
    const text = await terminal.askFresh("  Number, or your own words: ", { signal });
    signal.throwIfAborted();
    const answer = text?.trim() ?? "";
    if (answer === "") return { type: "dismissed" };
    answers[question.id] = [readChoice(answer, question.options)?.label ?? answer];
  }
  return { type: "answered", answers };
}

function toParts({ header, question, options }: ModelQuestion): readonly AskedPart[] {
  return [
    { label: "about", text: header },
    { label: "question", text: question },
    ...options.map(({ label, description }, at) => ({ label: `${at + 1}.`, text: `${label}: ${description}` })),
  ];
}
