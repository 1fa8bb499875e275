import { type ChoiceOption, openChoice } from "@unroll/screen";
import type { Choice } from "../command/terminal-command.ts";
import { type DialogFlow, done } from "./dialog-flow.ts";

/** Each has a digit as its key. */
const keyedOptions = 9;

/** A question of a command. The answer is the value of an option, or null. If there are more options than keys, you search them. */
export function createChooseFlow({ title, options }: Choice): DialogFlow<string | null> {
  const way = options.length > keyedOptions ? "search" : "keys";
  const toOption = ({ value, label, description }: Choice["options"][number], at: number): ChoiceOption => ({
    id: value,
    key: way === "keys" && at < keyedOptions ? String(at + 1) : null,
    label,
    ...(description !== "" && { detail: description }),
  });
  return {
    choice: openChoice([{ spans: [{ text: title, roles: ["strong"] }], wrap: "words" }], options.map(toOption), way),
    typed: null,
    next: (answer) => done(answer?.id ?? null),
  };
}
