import { type ChoiceOption, openChoice } from "@unroll/screen";
import type { Choice } from "../command/terminal-command.ts";
import { type DialogFlow, done } from "./dialog-flow.ts";

/** Each has a digit as its key. */
const keyedOptions = 9;

/** A question of a command. The answer is the value of an option, or null. If there are more options than keys, you search them. */
export function createChooseFlow({ title, options, current = null }: Choice): DialogFlow<string | null> {
  const way = options.length > keyedOptions ? "search" : "keys";
  const toOption = ({ value, label, description }: Choice["options"][number], at: number): ChoiceOption => ({
    id: value,
    key: way === "keys" && at < keyedOptions ? String(at + 1) : null,
    label,
    ...toDetail(description, value === current),
  });
  const choice = openChoice(
    [{ spans: [{ text: title, roles: ["strong"] }], wrap: "words" }],
    options.map(toOption),
    way,
  );
  const selected = Math.max(
    0,
    options.findIndex(({ value }) => value === current),
  );
  return {
    choice: { ...choice, selected },
    typed: null,
    next: (answer) => done(answer?.id ?? null),
  };
}

function toDetail(description: string, isCurrent: boolean): { readonly detail?: string } {
  const detail = [description, ...(isCurrent ? ["(current)"] : [])].filter((text) => text !== "").join(" ");
  return detail === "" ? {} : { detail };
}
