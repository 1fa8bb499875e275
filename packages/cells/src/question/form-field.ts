import type { FormField, FormQuestion, FormValue } from "@unroll/protocol";
import type { AskedPart, AskedText } from "./asked-part.ts";

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

function describeInput({ input }: FormField): readonly AskedPart[] {
  switch (input.type) {
    case "choice":
      return [
        ...input.options.map(({ title }, at) => ({ label: `${at + 1}.`, text: title })),
        { label: "answer", text: input.isMultiple ? "numbers, with commas between" : "a number" },
      ];
    case "boolean":
      return [{ label: "answer", text: "y or n" }];
    case "number":
      return [{ label: "answer", text: input.isInteger ? "a whole number" : "a number" }];
    case "text":
      return input.format === null ? [] : [{ label: "answer", text: input.format }];
  }
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

/** What was typed as a value of the field; null: it does not fit. */
export function readFieldValue(typed: string, { input }: FormField): FormValue | null {
  const text = typed.trim();
  switch (input.type) {
    case "text":
      return text.length >= input.minLength && text.length <= input.maxLength ? text : null;
    case "number": {
      const value = Number(text);
      const isWhole = Number.isInteger(value) || !input.isInteger;
      return text !== "" && isWhole && value >= input.minimum && value <= input.maximum ? value : null;
    }
    case "boolean":
      return { y: true, yes: true, true: true, n: false, no: false, false: false }[text.toLowerCase()] ?? null;
    case "choice": {
      const chosen = text.split(",").flatMap((each) => findOption(each.trim(), input.options)?.value ?? []);
      if (chosen.length !== text.split(",").length || (!input.isMultiple && chosen.length !== 1)) return null;
      return input.isMultiple ? chosen : (chosen[0] ?? null);
    }
  }
}

interface FieldOption {
  readonly value: string;
  readonly title: string;
}

/** By its number, from 1, or its title. */
function findOption(text: string, options: readonly FieldOption[]): FieldOption | null {
  const byNumber = /^\d+$/.test(text) ? options[Number(text) - 1] : undefined;
  return byNumber ?? options.find(({ title }) => title.toLowerCase() === text.toLowerCase()) ?? null;
}
