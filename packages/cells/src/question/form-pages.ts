import type { FormField, FormQuestion } from "@unroll/protocol";
import { pluralize, showHidden } from "@unroll/text";
import { type QuestionPart, toAskedLines } from "./asked-lines.ts";
import type { DialogChoice, DialogPage } from "./dialog-page.ts";
import { describeRule } from "./field-rule.ts";

/** First a page that asks whether you answer the form at all, then one page per field (`id`: its name). */
export function toFormPages({ server, message, fields }: FormQuestion): readonly DialogPage[] {
  const names = fields.map(({ title }) => title).join("\n");
  const parts: readonly QuestionPart[] = [
    { label: "server", text: server },
    { label: "message", text: message, isProse: true },
    ...(names === "" ? [] : [{ label: "fields", text: names }]),
  ];
  const yes: Pick<DialogChoice, "label" | "action"> =
    fields.length === 0
      ? { label: "yes", action: { type: "answer", answer: { type: "accepted", values: {} } } }
      : { label: "fill it in", action: { type: "next" } };
  const no: DialogChoice = {
    key: "n",
    label: "no",
    description: "tells the server that you declined",
    action: { type: "answer", answer: { type: "declined" } },
  };
  const opening: DialogPage = {
    id: null,
    title: `An MCP server asks you to fill in ${pluralize(fields.length, "field")}:`,
    lines: toAskedLines(parts),
    choices: [{ key: "y", description: "", ...yes }, no],
    input: null,
  };
  return [opening, ...fields.map(toFieldPage)];
}

/** The page of a field, with its rule in words. */
function toFieldPage(field: FormField): DialogPage {
  const { name, title, description, isRequired, input } = field;
  const options = input.type === "choice" ? input.options : [];
  const rule = describeRule(field);
  const parts: readonly QuestionPart[] = [
    { label: "field", text: title },
    ...(description === "" ? [] : [{ label: "about", text: description }]),
    ...options.map((option, at) => ({ label: `${at + 1}.`, text: option.title })),
    ...(rule === "" ? [] : [{ label: "answer", text: rule, isProse: true }]),
  ];
  const page = {
    id: name,
    title: isRequired ? "Fill in this field (required):" : "Fill in this field (optional):",
    lines: toAskedLines(parts),
  };
  const choices = toChoices(field);
  if (choices.length === 0)
    return { ...page, choices, input: { label: "your answer", prefill: toFieldPrefill(field) } };
  const empty: DialogChoice = { key: "e", label: "leave it empty", description: "", action: { type: "next" } };
  return { ...page, choices: [...putFirst(choices, field), ...(isRequired ? [] : [empty])], input: null };
}

/** The value that the server proposes comes first, so that Enter takes it. */
function putFirst(choices: readonly DialogChoice[], { defaultValue }: FormField): readonly DialogChoice[] {
  const isProposed = ({ action }: DialogChoice): boolean => action.type === "value" && action.value === defaultValue;
  const proposed = choices.filter(isProposed).map((choice) => ({ ...choice, description: "proposed by the server" }));
  return [...proposed, ...choices.filter((choice) => !isProposed(choice))];
}

function toChoices({ input }: FormField): readonly DialogChoice[] {
  switch (input.type) {
    case "boolean":
      return [
        { key: "y", label: "yes", description: "", action: { type: "value", value: true } },
        { key: "n", label: "no", description: "", action: { type: "value", value: false } },
      ];
    case "choice":
      if (input.isMultiple) return [];
      return input.options.map(({ value, title }, at) => ({
        key: String(at + 1),
        label: showHidden(title).replaceAll(/[\n\t]+/g, " "),
        description: "",
        action: { type: "value", value },
      }));
    case "text":
    case "number":
      return [];
  }
}

/** The default as you would type it. */
export function toFieldPrefill({ defaultValue, input }: FormField): string {
  if (defaultValue === null) return "";
  switch (input.type) {
    case "boolean":
      return defaultValue === true ? "y" : "n";
    case "choice": {
      const values = typeof defaultValue === "object" ? defaultValue : [String(defaultValue)];
      const numbers = values.map((value) => input.options.findIndex((option) => option.value === value) + 1);
      return numbers.includes(0) ? "" : numbers.join(",");
    }
    case "number":
    case "text":
      return String(defaultValue);
  }
}
