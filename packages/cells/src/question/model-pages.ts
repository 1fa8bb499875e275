import type { ModelQuestions } from "@unroll/protocol";
import { showHidden } from "@unroll/text";
import { toAskedLines } from "./asked-lines.ts";
import type { DialogPage } from "./dialog-page.ts";

/** One page per question. A value is the label of an option, or what you type. */
export function toModelPages({ questions }: ModelQuestions): readonly DialogPage[] {
  return questions.map(({ id, header, question, options }, at) => ({
    id,
    title: questions.length === 1 ? "The model asks:" : `The model asks (${at + 1} of ${questions.length}):`,
    lines: toAskedLines([
      { label: "about", text: header },
      { label: "question", text: question, isProse: true },
    ]),
    choices: options.map(({ label, description }, option) => ({
      key: String(option + 1),
      label: toLine(label),
      description: toLine(description),
      action: { type: "value", value: label },
    })),
    input: { label: "something else", prefill: "" },
  }));
}

function toLine(text: string): string {
  return showHidden(text).replaceAll(/[\n\t]+/g, " ");
}
