import type { ModelQuestions } from "@unroll/protocol";
import { showHidden } from "@unroll/text";
import { toAskedLines } from "./asked-lines.ts";
import type { AskedText } from "./question-part.ts";
import { describeModelQuestion } from "./describe-model-question.ts";
import type { DialogPage } from "./dialog-page.ts";

/** One page a question; a value is the label of an option, or what the person types. */
export function toModelPages(asked: ModelQuestions): readonly DialogPage[] {
  return asked.questions.map(({ id, options }, at) => ({
    id,
    ...toHead(describeModelQuestion(asked, at)),
    choices: options.map(({ label, description }, option) => ({
      key: String(option + 1),
      label: toLine(label),
      description: toLine(description),
      action: { type: "value", value: label },
    })),
    input: { label: "or in your own words", prefill: "" },
  }));
}

function toHead({ title, parts }: AskedText): Pick<DialogPage, "title" | "lines"> {
  return { title, lines: toAskedLines(parts) };
}

function toLine(text: string): string {
  return showHidden(text).replaceAll(/[\n\t]+/g, " ");
}
