import type { FormField, FormQuestion } from "@unroll/protocol";
import type { QuestionPart, AskedText } from "./question-part.ts";
import { describeRule } from "./field-rule.ts";

/** Who asks for what, before any field. */
export function describeForm({ server, message, fields }: FormQuestion): AskedText {
  const names = fields.map(({ title }) => title).join("\n");
  return {
    title: `An MCP server asks (${fields.length} ${fields.length === 1 ? "field" : "fields"}):`,
    parts: [
      { label: "server", text: server },
      { label: "it says", text: message, isProse: true },
      ...(names === "" ? [] : [{ label: "fields", text: names }]),
    ],
  };
}

/** A field, with what it takes in words. */
export function describeField(field: FormField): AskedText {
  const { title, description, isRequired } = field;
  return {
    title: isRequired ? "A field (required):" : "A field (may stay empty):",
    parts: [
      { label: "field", text: title },
      ...(description === "" ? [] : [{ label: "about", text: description }]),
      ...describeInput(field),
    ],
  };
}

function describeInput(field: FormField): readonly QuestionPart[] {
  const rule = describeRule(field);
  const answer = rule === "" ? [] : [{ label: "answer", text: rule, isProse: true }];
  const { input } = field;
  return input.type === "choice"
    ? [...input.options.map(({ title }, at) => ({ label: `${at + 1}.`, text: title })), ...answer]
    : answer;
}

/** The default as a person would type it. */
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
