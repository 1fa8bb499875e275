import type { FormField, FormQuestion } from "@unroll/protocol";
import { showHidden } from "@unroll/text";
import { toAskedLines } from "./asked-lines.ts";
import type { DialogChoice, DialogPage } from "./dialog-page.ts";
import { describeField, describeForm, toFieldPrefill } from "./form-field.ts";

/** First whether the form is answered at all, then one page a field (`id`: its name). */
export function toFormPages(question: FormQuestion): readonly DialogPage[] {
  const { fields } = question;
  const { title, parts } = describeForm(question);
  const opening: DialogPage = {
    id: null,
    title,
    lines: toAskedLines(parts),
    choices: [
      fields.length === 0
        ? {
            key: "y",
            label: "yes",
            description: "",
            action: { type: "answer", answer: { type: "accepted", values: {} } },
          }
        : { key: "y", label: "answer it", description: "", action: { type: "next" } },
      {
        key: "n",
        label: "no",
        description: "the server is told so",
        action: { type: "answer", answer: { type: "declined" } },
      },
    ],
    input: null,
  };
  return [opening, ...fields.map(toFieldPage)];
}

function toFieldPage(field: FormField): DialogPage {
  const { title, parts } = describeField(field);
  const choices = toChoices(field);
  const head = { id: field.name, title, lines: toAskedLines(parts) };
  if (choices.length === 0)
    return { ...head, choices, input: { label: "your answer", prefill: toFieldPrefill(field) } };
  const empty: DialogChoice = { key: "e", label: "leave it empty", description: "", action: { type: "next" } };
  return { ...head, choices: [...putFirst(choices, field), ...(field.isRequired ? [] : [empty])], input: null };
}

/** What the server proposes is what Enter takes. */
function putFirst(choices: readonly DialogChoice[], { defaultValue }: FormField): readonly DialogChoice[] {
  const isProposed = ({ action }: DialogChoice): boolean => action.type === "value" && action.value === defaultValue;
  const proposed = choices.filter(isProposed).map((choice) => ({ ...choice, description: "what it proposes" }));
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
