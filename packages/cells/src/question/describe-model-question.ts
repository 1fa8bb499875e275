import type { ModelQuestions } from "@unroll/protocol";
import type { AskedText } from "./question-part.ts";

/** One of the questions of the model, by its place from 0, without the answers that it offers. */
export function describeModelQuestion({ questions }: ModelQuestions, at: number): AskedText {
  const { header = "", question = "" } = questions[at] ?? {};
  return {
    title: questions.length === 1 ? "The model asks:" : `The model asks (${at + 1} of ${questions.length}):`,
    parts: [
      { label: "about", text: header },
      { label: "question", text: question, isProse: true },
    ],
  };
}
