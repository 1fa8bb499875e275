import { type ChoiceOption, openChoice } from "@unroll/screen";
import type { Choice } from "../command/terminal-command.ts";
import { type DialogFlow, done } from "./dialog-flow.ts";

/** A question of a command's own; the answer is the value of an option, or null. */
export function createChooseFlow({ title, options }: Choice): DialogFlow<string | null> {
  const toOption = ({ value, label, description }: Choice["options"][number], at: number): ChoiceOption => ({
    id: value,
    key: at < 9 ? String(at + 1) : null,
    label,
    ...(description !== "" && { detail: description }),
  });
  return {
    choice: openChoice([{ spans: [{ text: title, roles: ["strong"] }], wrap: "words" }], options.map(toOption)),
    next: (answer) => done(answer?.id ?? null),
  };
}
