import type { FormField, FormValue } from "@unroll/protocol";
import { describeRule, hasFormat } from "./field-rule.ts";

/** Your text as a value of the field; `refused`: a sentence with the field's rule. */
export type ReadField =
  | { readonly type: "value"; readonly value: FormValue }
  | { readonly type: "refused"; readonly message: string };

/** Reads your text as a value of the field. */
export function readFieldValue(typed: string, field: FormField): ReadField {
  const value = toValue(typed.trim(), field);
  if (value !== null) return { type: "value", value };
  const rule = describeRule(field);
  return { type: "refused", message: `This is not a valid answer${rule === "" ? "" : `: enter ${rule}`}.` };
}

/** Null: the text breaks the field's rule. */
function toValue(text: string, { input }: FormField): FormValue | null {
  switch (input.type) {
    case "text": {
      const { length } = Array.from(text); // JSON Schema counts code points
      return length >= input.minLength && length <= input.maxLength && hasFormat(text, input.format) ? text : null;
    }
    case "number": {
      const value = Number(text);
      const isWhole = Number.isInteger(value) || !input.isInteger;
      return text !== "" && isWhole && value >= input.minimum && value <= input.maximum ? value : null;
    }
    case "boolean":
      return { y: true, yes: true, true: true, n: false, no: false, false: false }[text.toLowerCase()] ?? null;
    case "choice": {
      const chosen = text.split(",").flatMap((each) => findOption(each.trim(), input.options)?.value ?? []);
      const fits = chosen.length >= input.minItems && chosen.length <= input.maxItems;
      if (chosen.length !== text.split(",").length || !fits) return null;
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
