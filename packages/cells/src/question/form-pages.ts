import type { FormField, FormQuestion } from "@unroll/protocol";
import { showHidden } from "@unroll/text";
import { toAskedLines } from "./asked-lines.ts";
import type { DialogChoice, DialogPage } from "./dialog-page.ts";
import { describeField, toFieldPrefill } from "./form-field.ts";

/** First whether the form is answered at all, then one page a field (`id`: its name). */
export function toFormPages({ server, message, fields }: FormQuestion): readonly DialogPage[] {
  const names = fields.map(({ title }) => title).join("\n");
  const opening: DialogPage = {
    id: null,
    title: `An MCP server asks (${fields.length} ${fields.length === 1 ? "field" : "fields"}):`,
    lines: toAskedLines([
      { label: "server", text: server },
      { label: "it says", text: message, isProse: true },
      ...(names === "" ? [] : [{ label: "fields", text: names }]),
    ]),
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
  const { name, title, description, isRequired } = field;
  return {
    id: name,
    title: isRequired ? "A field (required):" : "A field (may stay empty):",
    lines: toAskedLines([
      { label: "field", text: title },
      ...(description === "" ? [] : [{ label: "about", text: description }]),
      ...describeField(field),
    ]),
    choices: toChoices(field),
    input: { label: "your answer", prefill: toFieldPrefill(field) },
  };
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
