import { type ChoiceOption, type DialogAct, findOptions, openChoice } from "@unroll/screen";
import type { ActionQuestion, Choice } from "../command/terminal-command.ts";
import { createConsentFlow } from "./consent-flow.ts";
import { askFirst, asked, type DialogFlow, done, type FlowStep } from "./dialog-flow.ts";

/** Each has a digit as its key. */
const keyedOptions = 9;

/** The id of the option for a value that is not listed. */
const typedId = "typed\0";

/** A question of a command. The answer is the value of an option, a typed value where the question takes one, or null. If there are more options than keys, or actions, you search them. */
export function createChooseFlow(choice: Choice): DialogFlow<string | null> {
  return openFlow(choice, null);
}

/** The list as it was when an action was chosen. */
interface Place {
  readonly search: string;
  /** The value of the selected option; null: the list was empty. */
  readonly value: string | null;
  /** Its index among the options that were found. */
  readonly index: number;
}

/** `place`: null, if the list is shown for the first time. */
function openFlow(list: Choice, place: Place | null): DialogFlow<string | null> {
  const { title, options, current = null, selected = current, actions = [], notice = null, typed } = list;
  const way = options.length > keyedOptions || actions.length > 0 ? "search" : "keys";
  const toOption = (option: Choice["options"][number], at: number): ChoiceOption => ({
    id: option.value,
    key: way === "search" ? null : (option.key ?? (at < keyedOptions ? String(at + 1) : null)),
    label: option.label ?? option.value,
    ...toDetail(option.description, option.value === current),
    ...(option.columns !== undefined && { columns: option.columns }),
    ...(option.about !== undefined && { about: option.about }),
    ...(option.refusal !== undefined && { refusal: option.refusal }),
  });
  const own: readonly ChoiceOption[] =
    typed === undefined
      ? []
      : [
          {
            id: typedId,
            key: way === "keys" ? "w" : null,
            label: typed.label,
            field: { text: "", placeholder: typed.placeholder },
          },
        ];
  const opened = openChoice(
    [{ spans: [{ text: title, roles: ["strong"] }], wrap: "words" }],
    [...options.map(toOption), ...own],
    way,
  );
  const text = place?.search ?? "";
  const choice = {
    ...opened,
    actions: actions.map(({ name, action, isOfOption }) => ({ id: name, action, label: name, isOfOption })),
    notice,
    search: way === "search" ? { text, caret: text.length } : null,
    ...(place !== null && { isArmed: true, quietSince: 0 }), // you see the list already
  };
  const found = findOptions(choice);
  const at = found.findIndex(({ id }) => id === (place?.value ?? selected));
  const kept = Math.max(0, Math.min(place?.index ?? 0, found.length - 1));
  return {
    choice: { ...choice, selected: at < 0 ? kept : at },
    typed: typed === undefined ? null : typedId,
    next: (answer) => done(answer?.id === typedId ? (answer.text ?? "").trim() || null : (answer?.id ?? null)),
    ...(actions.length > 0 && { act: (act: DialogAct) => runAction(list, act) }),
  };
}

/** The mark comes first: the end of a long row is cut. */
function toDetail(description: string, isCurrent: boolean): { readonly detail?: string } {
  const detail = [...(isCurrent ? ["(current)"] : []), description].filter((text) => text !== "").join(" ");
  return detail === "" ? {} : { detail };
}

function runAction(list: Choice, { id, option: value, search }: DialogAct): FlowStep<string | null> {
  const flow = openFlow(list, { search, value, index: 0 });
  const action = list.actions?.find(({ name }) => name === id);
  if (action === undefined) return asked(flow);
  const place = action.isOfOption ? { search, value, index: flow.choice.selected } : { search, value: null, index: 0 }; // another list is shown from its start
  const follow = (next: Choice | string): FlowStep<string | null> =>
    typeof next === "string" ? done(next) : asked(openFlow(next, place));
  const run = (text: string | null): FlowStep<string | null> => {
    const next = action.run(value, text);
    return next instanceof Promise ? { type: "awaited", step: next.then(follow) } : follow(next);
  };
  const question = value === null ? null : (action.ask?.(value) ?? null);
  if (question === null) return run(null);
  return askFirst(createActionFlow(question), (text) =>
    text === null ? follow({ ...list, notice: null }) : run(text),
  );
}

/** Null: you declined. */
function createActionFlow(question: ActionQuestion): DialogFlow<string | null> {
  if (question.type === "consent") {
    const { choice, typed } = createConsentFlow(question);
    return { choice, typed, next: (answer) => done(answer?.id === "y" ? "" : null) };
  }
  const field = { id: "text", key: null, label: question.label, field: { text: question.text } };
  const head = [{ spans: [{ text: question.title, roles: ["strong"] }], wrap: "words" }] as const;
  return { choice: openChoice(head, [field]), typed: "text", next: (answer) => done(answer?.text ?? null) };
}
