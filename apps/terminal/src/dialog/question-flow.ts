import type { DialogChoice, DialogPage } from "@unroll/cells";
import { readFieldValue, toFieldPrefill } from "@unroll/cells";
import { refusalOf, type Answer, type FormValue, type Question } from "@unroll/protocol";
import { type DialogAnswer, type ChoiceOption, openChoice, type StyledLine } from "@unroll/screen";
import { asked, type DialogFlow, done, type FlowStep } from "./dialog-flow.ts";
import { readPrefix, type ReadPrefix } from "./read-prefix.ts";

/** Whether you answer with single keys or with lines. */
export type AnswerWay = "keys" | "lines";

/** How you answer. */
export interface Answering {
  readonly way: AnswerWay;
  /** The key that leaves a question, as messages show it. */
  readonly leaveKey: string;
}

/** A question, its pages and your answers so far. */
interface Asked extends Answering {
  readonly question: Question;
  readonly pages: readonly DialogPage[];
  readonly at: number;
  readonly values: Readonly<Record<string, FormValue>>;
}

/** An answer, or the wish to keep the model that the thread was opened with. */
export type QuestionAnswer = Answer | Extract<DialogChoice["action"], { readonly type: "own_model" }>;

/** A question from the approval policy, the model or a server. Leaving it denies. */
export function createQuestionFlow(
  question: Question,
  pages: readonly DialogPage[],
  answering: Answering,
): DialogFlow<QuestionAnswer> {
  const shown = answering.way === "keys" ? pages : pages.map((page) => toLinePage(question, page));
  return openPage({ ...answering, question, pages: shown, at: 0, values: {} }, null);
}

/** The page for answers typed as lines: denying asks at once what to do instead, and form fields are typed. */
function toLinePage(question: Question, page: DialogPage): DialogPage {
  const field = question.type === "server.form" ? question.fields.find(({ name }) => name === page.id) : undefined;
  if (field !== undefined)
    return { ...page, choices: [], input: { label: "your answer", prefill: toFieldPrefill(field) } };
  const { action = null } = page.choices.find((choice) => choice.action.type === "tell") ?? {};
  if (action === null) return page;
  const choices = page.choices.filter((choice) => choice.action !== action);
  return { ...page, choices: choices.map((choice) => (choice.key === "n" ? { ...choice, action } : choice)) };
}

/** An answer that was rejected, and the reason. */
interface Refused {
  readonly message: string;
  /** The typed text, to correct; null: none. */
  readonly typed: string | null;
}

/** `refused`: the answer before; null: none. */
function openPage(state: Asked, refused: Refused | null): DialogFlow<QuestionAnswer> {
  const page = state.pages[state.at];
  const head = page === undefined ? [] : [toTitle(page.title), ...page.lines];
  const options = page === undefined ? [] : toOptions(page, refused?.typed ?? null);
  return {
    choice: openChoice(refused === null ? head : [...head, toWarning(refused.message)], options),
    typed: page === undefined || page.input === null ? null : typedId,
    next: (answer) =>
      answer === null || page === undefined ? done(refusalOf(state.question)) : takeAnswer(state, page, answer),
  };
}

function toTitle(text: string): StyledLine {
  return { spans: [{ text, roles: ["strong"] }], wrap: "words" };
}

function toWarning(text: string): StyledLine {
  return { spans: [{ text, roles: ["warning"] }], wrap: "words" };
}

function toOptions({ choices, input }: DialogPage, typed: string | null): readonly ChoiceOption[] {
  const own: readonly ChoiceOption[] =
    input === null ? [] : [{ id: typedId, key: "w", label: input.label, field: { text: typed ?? input.prefill } }];
  return [...choices.map(toOption), ...own];
}

/** The id of the option with a text field. */
const typedId = "typed";

function toOption({ key, label, description, action }: DialogChoice): ChoiceOption {
  const detail = description !== "" && { detail: description };
  const option = { id: key, key, label, ...detail, ...(allows(action) && { isConsent: true as const }) };
  if (action.type === "edit_prefix")
    return {
      ...option,
      field: { text: action.prefix.join(" "), placeholder: "always allow commands that start with" },
    };
  if (action.type === "tell") return { ...option, field: { text: "", placeholder: "what to do instead" } };
  return option;
}

function allows(action: DialogChoice["action"]): boolean {
  if (action.type === "answer") return /^(?:approved\.|accepted$)/.test(action.answer.type);
  return action.type !== "tell" && action.type !== "own_model";
}

function takeAnswer(state: Asked, page: DialogPage, { id, text }: DialogAnswer): FlowStep<QuestionAnswer> {
  const action = page.choices.find(({ key }) => key === id)?.action ?? null;
  if (action === null) return takeTyped(state, page, text ?? "");
  switch (action.type) {
    case "answer":
      return done(action.answer);
    case "own_model":
      return done(action);
    case "tell":
      return done({ type: "denied", reason: text === null || text.trim() === "" ? null : text });
    case "edit_prefix":
      return checkPrefix(state, text ?? "");
    case "value":
      return goOn(state, page, action.value);
    case "next":
      return goOn(state, page, null);
  }
}

function takeTyped(state: Asked, page: DialogPage, text: string): FlowStep<QuestionAnswer> {
  const { question } = state;
  if (question.type !== "server.form") {
    if (text.trim() === "")
      return asked(
        openPage(state, {
          message: `Type an answer, choose an option, or leave with ${state.leaveKey}.`,
          typed: null,
        }),
      );
    return goOn(state, page, text.trim());
  }
  const field = question.fields.find(({ name }) => name === page.id);
  if (field === undefined) return goOn(state, page, null);
  if (text.trim() === "" && !field.isRequired) return goOn(state, page, null);
  const read = readFieldValue(text, field);
  if (read.type === "value") return goOn(state, page, read.value);
  return asked(
    openPage(state, {
      message: `${read.message} ${state.leaveKey} leaves the form.`,
      typed: state.way === "keys" ? text : null,
    }),
  );
}

/** Goes to the next page, or ends with all answers. `value` null: left empty. */
function goOn(state: Asked, page: DialogPage, value: FormValue | null): FlowStep<QuestionAnswer> {
  const values = page.id === null || value === null ? state.values : { ...state.values, [page.id]: value };
  const next = { ...state, values, at: state.at + 1 };
  if (next.at < state.pages.length) return asked(openPage(next, null));
  if (state.question.type === "server.form") return done({ type: "accepted", values });
  const answers = Object.fromEntries(Object.entries(values).map(([id, each]) => [id, [String(each)]]));
  return done({ type: "answered", answers });
}

function checkPrefix(state: Asked, text: string): FlowStep<QuestionAnswer> {
  if (state.question.type !== "command.approval") return asked(openPage(state, null));
  const read = readPrefix(text, state.question);
  if (read.type === "usable") return asked(confirmPrefix(state, read));
  return asked(openPage(state, { message: read.message, typed: null }));
}

function confirmPrefix(
  state: Asked,
  read: Extract<ReadPrefix, { readonly type: "usable" }>,
): DialogFlow<QuestionAnswer> {
  const head = [
    toTitle("Save this rule?"),
    { spans: [{ text: read.allows }], wrap: "words" } as const,
    ...(read.warning === null ? [] : [toWarning(`Warning: ${read.warning}`)]),
  ];
  const options = [
    { id: "y", key: "y", label: "yes", isConsent: true as const },
    { id: "n", key: "n", label: "back" },
  ];
  return {
    choice: openChoice(head, options),
    typed: null,
    next: (answer) =>
      answer?.id === "y" ? done({ type: "approved.always", prefix: read.prefix }) : asked(openPage(state, null)),
  };
}
