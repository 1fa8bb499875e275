import { describeModelQuestion } from "@unroll/cells";
import { refusalOf, type ChoiceAnswer, type ModelQuestion, type ModelQuestions } from "@unroll/protocol";
import type { Terminal } from "../terminal.ts";
import type { PlainPart } from "./lay-out.ts";
import { showAsked } from "./show-asked.ts";

/** Puts the model's questions to the person: a number, or an answer in their own words. Leaving one dismisses them all. */
export async function askChoice(terminal: Terminal, asked: ModelQuestions, signal: AbortSignal): Promise<ChoiceAnswer> {
  const answers: Record<string, readonly string[]> = {};
  for (const [at, question] of asked.questions.entries()) {
    const { title, parts } = describeModelQuestion(asked, at);
    const offered = { title, parts: [...parts, ...toOffers(question)] };
    if (!(await showAsked(terminal, offered, signal))) return refusalOf(asked);
    const text = await terminal.askFresh("  Number, or your own words: ", { signal });
    signal.throwIfAborted();
    const answer = text?.trim() ?? "";
    if (answer === "") return refusalOf(asked);
    answers[question.id] = [readChoice(answer, question.options)?.label ?? answer];
  }
  return { type: "answered", answers };
}

function toOffers({ options }: ModelQuestion): readonly PlainPart[] {
  return options.map(({ label, description }, at) => ({ label: `${at + 1}.`, text: `${label}: ${description}` }));
}

/** The option of this number, counted from 1; null where the text is no such number. */
function readChoice<Option>(text: string, options: readonly Option[]): Option | null {
  return /^\d+$/.test(text) ? (options[Number(text) - 1] ?? null) : null;
}
